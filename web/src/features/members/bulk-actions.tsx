import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isOrganizationRole, rolesUpTo } from '../../../../src/contract/roles.ts'
import type { OrganizationRole } from '../../../../src/contract/users.ts'
import { useMe } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Select } from '../../ui/select.tsx'
import { type BulkAction, type BulkResult, bulk, type SelectedMember } from './bulk.ts'
import { FirstPasswords } from './first-passwords.tsx'
import { RoleOptions } from './role-options.tsx'

interface Props {
  members: readonly SelectedMember[]
  onClear(): void
}

/** What the user can do to all selected members at once, and the result of the last action. */
export function BulkActions({ members, onClear }: Props) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const [total, setTotal] = useState(0)
  const run = useMutation({
    async mutationFn(action: BulkAction) {
      setResults([])
      setTotal(members.length)
      for await (const result of bulk(action, members)) setResults((earlier) => [...earlier, result])
      onClear()
      await queries.invalidateQueries({ queryKey: ['members'] })
      heading.current?.focus()
    },
  })
  const isShown = members.length > 0 || run.isPending || results.length > 0
  return (
    <section aria-labelledby="bulk" hidden={!isShown}>
      <h2 id="bulk" ref={heading} tabIndex={-1}>
        {text('bulk.title', { count: members.length })}
      </h2>
      {run.isPending ? (
        <p>
          <progress aria-label={text('bulk.running')} max={total} value={results.length} />{' '}
          {text('members.storage', { used: results.length, allowed: total })}
        </p>
      ) : (
        members.length > 0 && <Actions count={members.length} onAct={run.mutate} onClear={onClear} />
      )}
      {run.isSuccess && <Results results={results} />}
    </section>
  )
}

interface ActionsProps {
  count: number
  onAct(action: BulkAction): void
  onClear(): void
}

function Actions({ count, onAct, onClear }: ActionsProps) {
  const { text } = useTexts()
  const me = useMe()
  const [role, setRole] = useState<OrganizationRole>('user')
  const others = [
    ['passwords', text('bulk.passwords'), text('bulk.passwordsWhat', { count })],
    ['signOut', text('members.endAll'), text('bulk.signOutWhat', { count })],
    ['remove', text('bulk.remove'), text('bulk.removeWhat', { count })],
  ] as const
  return (
    <>
      <Select
        name="role"
        label={text('members.newRole')}
        defaultValue={role}
        onChoose={(chosen) => isOrganizationRole(chosen) && setRole(chosen)}
      >
        <RoleOptions roles={rolesUpTo(me.organizationRole)} />
      </Select>
      <div className="buttons">
        <Confirmation
          action={text('members.changeRole')}
          label={text('members.changeRole')}
          consequence={text('bulk.roleWhat', { count, role: text(`members.role.${role}`) })}
          onConfirm={() => onAct({ kind: 'role', role })}
        />
        {others.map(([kind, action, consequence]) => (
          <Confirmation
            key={kind}
            action={action}
            label={action}
            consequence={consequence}
            isDangerous
            onConfirm={() => onAct({ kind })}
          />
        ))}
        <Button isSecondary onPress={onClear}>
          {text('bulk.clear')}
        </Button>
      </div>
    </>
  )
}

function Results({ results }: { results: readonly BulkResult[] }) {
  const texts = useTexts()
  const { text } = texts
  const done = results.filter(({ kind }) => kind === 'done').length
  const skipped = results.filter(({ kind }) => kind === 'skipped')
  const passwords = results.flatMap((result) =>
    result.kind === 'done' && result.password ? [result.password] : [],
  )
  return (
    <>
      <p role="status" className="notice">
        {text('bulk.done', { count: done })}
      </p>
      {skipped.length > 0 && (
        <p>{text('bulk.skipped', { names: skipped.map(({ member }) => member.name).join(', ') })}</p>
      )}
      {results.map(
        (result) =>
          result.kind === 'failed' && (
            <p key={result.member.id} className="wrong">
              {result.member.name}: {errorText(texts, result.error)}
            </p>
          ),
      )}
      {passwords.length > 0 && <FirstPasswords passwords={passwords} />}
    </>
  )
}
