import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Member } from '../../../../src/contract/account.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'

/** Ways to help a member who cannot sign in: a mailed link, a new password, and a link that signs in once. */
export function NewPasswordSection({ member }: { member: Member }) {
  const { text } = useTexts()
  const me = useMe()
  const { can } = member
  const isOwn = member.id === me.id
  return (
    <section aria-labelledby="new-password">
      <h2 id="new-password">{text('signIn.password')}</h2>
      {isOwn && (
        <p>
          {text('members.ownPassword')} <Link href={pathTo('/account/security')}>{text('nav.security')}</Link>
        </p>
      )}
      {!isOwn && !can.setPassword && <p>{text('members.provider')}</p>}
      {can.sendPasswordReset && <ResetMail member={member} />}
      {can.setPassword && <PasswordForm member={member} />}
      {can.createSignInLink && <SignInLink member={member} />}
    </section>
  )
}

function ResetMail({ member: { id, email } }: { member: Member }) {
  const texts = useTexts()
  const { text } = texts
  const sending = useMutation({
    mutationFn: () => call('sendMemberPasswordReset', { params: { user: id } }),
  })
  return (
    <>
      <h3>{text('members.mail')}</h3>
      <p>{text('members.mailWhat', { email: email ?? '' })}</p>
      <Notice isError>{sending.error ? errorText(texts, sending.error) : undefined}</Notice>
      <Notice>{sending.isSuccess ? text('members.mailSent') : undefined}</Notice>
      <Button isSecondary onPress={() => sending.mutate()}>
        {text('reset.do')}
      </Button>
    </>
  )
}

const knownErrorsFor = (min: number): KnownErrors => ({
  COMMON_PASSWORD: ['password', 'form.commonPassword'],
  PASSWORD_LIKE_NAME: ['password', 'form.passwordLikeName'],
  password: ['password', 'form.badPassword', { min }],
})

function PasswordForm({ member: { id, minPasswordLength: min } }: { member: Member }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [changes, setChanges] = useState(0)
  const knownErrors = useMemo(() => knownErrorsFor(min), [min])
  const submission = useSubmission(knownErrors, async (form) => {
    const password = String(form.get('password'))
    await call('updateOrganizationUser', { params: { user: id }, body: { password } })
    setChanges(changes + 1)
    // The new form has no focus.
    heading.current?.focus()
    // The new password has ended all sign-ins.
    await queries.invalidateQueries({ queryKey: ['members', id] })
  })
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {text('members.setPassword')}
      </h3>
      <p>{text('members.setPasswordWhat')}</p>
      <Notice>{changes > 0 ? text('members.passwordSet') : undefined}</Notice>
      {/* The key empties the field after each change. */}
      <SubmissionForm key={changes} submission={submission} action={text('members.setPassword')}>
        <Field
          name="password"
          label={text('form.newPassword')}
          hint={text('form.passwordHint', { min })}
          autoComplete="off"
          spellCheck="false"
          minLength={min}
          maxLength={1000}
          isRequired
        />
      </SubmissionForm>
    </>
  )
}

function SignInLink({ member: { id } }: { member: Member }) {
  const texts = useTexts()
  const { text } = texts
  const creation = useMutation({
    mutationFn: () => call('createOrganizationUserSigninLink', { params: { user: id }, body: {} }),
  })
  return (
    <>
      <h3>{text('members.link')}</h3>
      <p>{text('members.linkWhat')}</p>
      <Notice isError>{creation.error ? errorText(texts, creation.error) : undefined}</Notice>
      <div role="status">
        {creation.data?.url && <Copyable label={text('members.link')}>{creation.data.url}</Copyable>}
      </div>
      <Button isSecondary onPress={() => creation.mutate()}>
        {text('members.createLink')}
      </Button>
    </>
  )
}
