import { Suspense } from 'react'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { Page } from '../../ui/page.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { StorageSection } from './storage-section.tsx'

const NotificationMailsSection = loadedWhenIdle(() => import('./mails.tsx'))

/** The storage of the account, the apps that can act for the user, and the mails to the user. */
export function AccountPage() {
  const { text } = useTexts()
  const { organizationRole } = useMe()
  return (
    <Page title={text('account.title')}>
      <StorageSection />
      <ConnectedApps />
      {/* An individual account has no classes. */}
      {organizationRole !== null && (
        <Suspense>
          <NotificationMailsSection />
        </Suspense>
      )}
    </Page>
  )
}
