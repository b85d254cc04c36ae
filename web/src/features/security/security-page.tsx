import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../app/texts.ts'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { EmailSection } from './email-section.tsx'
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
        {({ hasPassword, secondFactor, email, sessions }) => (
          <>
            {!hasPassword && (
              <p>
                {text('security.noPassword')} <a href="/auth/password">{text('reset.title')}</a>
              </p>
            )}
            {hasPassword && <PasswordSection />}
            {hasPassword && <SecondFactorSection state={secondFactor} />}
            <EmailSection state={email} canChange={hasPassword} />
            <SessionsSection sessions={sessions} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}
