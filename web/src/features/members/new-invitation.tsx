import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { OrganizationInvitation } from '../../../../src/contract/organizations.ts'
import { rolesUpTo } from '../../../../src/contract/roles.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { invitationsQuery } from './queries.ts'
import { RoleOptions } from './role-options.tsx'

const knownErrors: KnownErrors = { email: ['email', 'invitations.badEmail'] }

/** Creates an invitation for one address, or for everyone who gets the link. */
export function NewInvitation() {
  const { text } = useTexts()
  const me = useMe()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [created, setCreated] = useState<readonly OrganizationInvitation[]>([])
  const submission = useSubmission(knownErrors, async (form) => {
    const email = String(form.get('email')).trim()
    const role = roles.find((one) => one === form.get('role'))
    // The browser does not send the form without a role.
    if (!role) return
    const invitation = await call('createOrganizationInvitation', {
      body: { organizationRole: role, ...(email && { email }) },
    })
    setCreated([...created, invitation])
    // The new form has no focus.
    heading.current?.focus()
    // A member with this address has got the role at once.
    await queries.invalidateQueries({ queryKey: ['members'] })
    await queries.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  })
  // Students come by rosters and enrolment codes, not by invitations.
  const roles = rolesUpTo(me.organizationRole).filter((role) => role !== 'user')
  const last = created.at(-1)
  const { data: settings } = useQuery({
    queryKey: ['organization'],
    queryFn: () => call('getOrganizationSettings'),
  })
  const canSignUp = !settings || (settings.rules.allowSignUpByCode && !settings.rules.requireProvider)
  return (
    <section aria-labelledby="new-invitation">
      <h2 id="new-invitation" ref={heading} tabIndex={-1}>
        {text('invitations.new')}
      </h2>
      <p>{text('invitations.what')}</p>
      {!canSignUp && <p className="notice">{text('invitations.noSignUp')}</p>}
      <Notice>
        {last && text(last.htmlUrl === undefined ? 'invitations.isMember' : 'invitations.created')}
      </Notice>
      {last?.htmlUrl && <Copyable label={text('invitations.link')}>{last.htmlUrl}</Copyable>}
      {/* The key empties the form after each invitation. */}
      <SubmissionForm key={created.length} submission={submission} action={text('invitations.do')}>
        <Field
          name="email"
          type="email"
          label={text('signUp.email')}
          hint={text('invitations.emailHint')}
          maxLength={320}
          autoComplete="off"
        />
        <Select name="role" label={text('members.role')} isRequired>
          <option value="">{text('invitations.chooseRole')}</option>
          <RoleOptions roles={roles} />
        </Select>
      </SubmissionForm>
    </section>
  )
}
