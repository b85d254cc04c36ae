import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '../../../../src/contract/account.ts'
import { isOrganizationRole, rolesUpTo } from '../../../../src/contract/roles.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { RoleOptions } from './role-options.tsx'

const knownErrors: KnownErrors = {}

/** Gives a member another role: the roles up to that of the user. */
export function RoleSection({ member }: { member: Member }) {
  const { text } = useTexts()
  const me = useMe()
  const queries = useQueryClient()
  const [isChanged, setChanged] = useState(false)
  const submission = useSubmission(knownErrors, async (form) => {
    const role = String(form.get('role'))
    if (!isOrganizationRole(role)) return
    setChanged(false)
    await call('updateOrganizationUser', { params: { user: member.id }, body: { organizationRole: role } })
    setChanged(true)
    await queries.invalidateQueries({ queryKey: ['members'] })
  })
  return (
    <section aria-labelledby="role">
      <h2 id="role">{text('members.role')}</h2>
      <Notice>{isChanged ? text('members.roleChanged') : undefined}</Notice>
      <SubmissionForm submission={submission} action={text('members.changeRole')}>
        <Select name="role" label={text('members.newRole')} defaultValue={member.role}>
          <RoleOptions roles={rolesUpTo(me.organizationRole)} />
        </Select>
      </SubmissionForm>
    </section>
  )
}
