import { useQuery } from '@tanstack/react-query'
import type { Security } from '../../../../src/contract/account-security.ts'
import { useTexts } from '../../app/texts.ts'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { EmailSection } from './email-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { securityQuery } from './queries.ts'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** How the user signs in, and the browsers that are signed in. */
export function SecurityPage() {
  const { text } = useTexts()
  const security = useQuery(securityQuery)
  return (
    <Page title={text('security.title')}>
      <QueryContent query={security}>
        {(security) => {
          const { hasPassword, minPasswordLength, passwordSetBy, passkeys, email, sessions } = security
          return (
            <>
              {passwordSetBy && <PasswordSetNotice setter={passwordSetBy} />}
              {!hasPassword && (
                <p>
                  {text('security.noPassword')} <a href="/auth/password">{text('reset.title')}</a>
                </p>
              )}
              {hasPassword && <PasswordSection minLength={minPasswordLength} />}
              {((hasPassword && passkeys.canBeAdded) || passkeys.list.length > 0) && (
                <PasskeysSection security={security} />
              )}
              {hasPassword && <SecondFactorSection security={security} />}
              <EmailSection state={email} canChange={hasPassword} />
              <SessionsSection sessions={sessions} />
            </>
          )
        }}
      </QueryContent>
    </Page>
  )
}

function PasswordSetNotice({ setter: { username, at } }: { setter: NonNullable<Security['passwordSetBy']> }) {
  const { text, language } = useTexts()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(at))
  return (
    <p className="notice">
      {username === null
        ? text('security.passwordSet', { date })
        : text('security.passwordSetBy', { user: username, date })}
    </p>
  )
}
