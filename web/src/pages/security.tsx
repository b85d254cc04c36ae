import { getSecurity } from '../client.ts'
import { useLoaded } from '../loaded.ts'
import { Loading, Page } from '../page.tsx'
import { EmailSection } from '../security/email-section.tsx'
import { PasswordSection } from '../security/password-section.tsx'
import { SecondFactorSection } from '../security/second-factor-section.tsx'
import { SessionsSection } from '../security/sessions-section.tsx'
import { useTexts } from '../texts.ts'

/** How one signs in, and where one is signed in. */
export function SecurityPage() {
  const { text } = useTexts()
  const { value: security, error, reload } = useLoaded(getSecurity)
  return (
    <Page title={text('security.title')}>
      {security === undefined ? (
        <Loading error={error} />
      ) : (
        <>
          {!security.hasPassword && (
            <p>
              {text('security.noPassword')} <a href="/auth/password">{text('reset.title')}</a>
            </p>
          )}
          {security.hasPassword && <PasswordSection onChanged={reload} />}
          {security.hasPassword && <SecondFactorSection state={security.secondFactor} onChanged={reload} />}
          <EmailSection state={security.email} canChange={security.hasPassword} onChanged={reload} />
          <SessionsSection sessions={security.sessions} onChanged={reload} />
        </>
      )}
    </Page>
  )
}
