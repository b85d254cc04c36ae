import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Member, MemberSignIns } from '../../../../src/contract/account.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Day, Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { memberSignInsQuery } from './queries.ts'

type Session = MemberSignIns['sessions'][number]
type Token = MemberSignIns['tokens'][number]

/** Where a member is signed in, and the tokens and apps that act for the member. The user can end one or all of them. */
export function SignInsSection({ member: { id } }: { member: Member }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = memberSignInsQuery(id)
  const signIns = useQuery(query)
  const ending = useMutation({
    /** @param one the id of a session, token or authorization; null ends all of them */
    async mutationFn(one: string | null) {
      await (one === null
        ? call('endMemberSignIns', { params: { user: id } })
        : call('endMemberSignIn', { params: { user: id, id: one } }))
      await queries.invalidateQueries({ queryKey: query.queryKey })
      // The button that had the focus disappears.
      heading.current?.focus()
    },
  })
  return (
    <section aria-labelledby="sign-ins">
      <h2 id="sign-ins" ref={heading} tabIndex={-1}>
        {text('members.signIns')}
      </h2>
      <Notice>
        {ending.isSuccess
          ? text(ending.variables === null ? 'members.endedAll' : 'members.ended')
          : undefined}
      </Notice>
      <Notice isError>{ending.error ? errorText(texts, ending.error) : undefined}</Notice>
      <QueryContent query={signIns}>
        {({ sessions, tokens }) => (
          <>
            {sessions.length + tokens.length === 0 && <p>{text('members.noSignIns')}</p>}
            {sessions.length > 0 && <Sessions sessions={sessions} onEnd={ending.mutate} />}
            {tokens.length > 0 && <Tokens tokens={tokens} onEnd={ending.mutate} />}
            {sessions.length + tokens.length > 0 && (
              <p>
                <Confirmation
                  action={text('members.endAll')}
                  label={text('members.endAll')}
                  consequence={text('members.endAllWhat')}
                  onConfirm={() => ending.mutate(null)}
                />
              </p>
            )}
          </>
        )}
      </QueryContent>
    </section>
  )
}

const openers: Readonly<Record<Session['openedBy'], TextKey>> = {
  member: 'members.byMember',
  link: 'members.byLink',
  'set password': 'members.bySetPassword',
  PIN: 'members.byPin',
}

function Sessions({ sessions, onEnd }: { sessions: readonly Session[]; onEnd(id: string): void }) {
  const { text, language } = useTexts()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const columns: readonly Column<Session>[] = [
    { title: text('members.session'), isRowHeader: true, content: ({ openedBy }) => text(openers[openedBy]) },
    { title: text('table.since'), content: ({ startedAt }) => <Moment of={startedAt} /> },
    { title: text('table.ends'), content: ({ endsAt }) => <Day of={endsAt} /> },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: ({ id, startedAt }) => (
        <Confirmation
          action={text('members.end')}
          label={text('members.endSession', { date: format.format(new Date(startedAt)) })}
          consequence={text('members.endSessionWhat')}
          onConfirm={() => onEnd(id)}
        />
      ),
    },
  ]
  return <Table rows={sessions} columns={columns} keyOf={({ id }) => id} />
}

function Tokens({ tokens, onEnd }: { tokens: readonly Token[]; onEnd(id: string): void }) {
  const { text } = useTexts()
  const columns: readonly Column<Token>[] = [
    { title: text('members.token'), isRowHeader: true, content: ({ name }) => name },
    { title: text('members.kind'), content: (token) => text(kindOf(token)) },
    { title: text('table.since'), content: ({ createdAt }) => <Day of={createdAt} /> },
    {
      title: text('table.lastUsed'),
      content: ({ lastUsedAt }) => (lastUsedAt === null ? text('table.notYet') : <Day of={lastUsedAt} />),
    },
    {
      title: text('table.ends'),
      content: ({ expiresAt }) => (expiresAt === null ? text('tokens.never') : <Day of={expiresAt} />),
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: ({ id, name, app }) => (
        <Confirmation
          action={text('members.end')}
          label={text('members.endNamed', { name })}
          consequence={text(app === null ? 'tokens.revokeWhat' : 'connected.revokeWhat')}
          onConfirm={() => onEnd(id)}
        />
      ),
    },
  ]
  return <Table rows={tokens} columns={columns} keyOf={({ id }) => id} />
}

function kindOf({ app, isByAdministrator }: Token): TextKey {
  if (app !== null) return 'members.kindApp'
  return isByAdministrator ? 'members.kindAdministrator' : 'members.kindPersonal'
}
