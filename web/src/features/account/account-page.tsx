import { useTexts } from '../../app/texts.ts'
import { Page } from '../../ui/page.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { StorageSection } from './storage-section.tsx'

/** The storage of the account, and the apps that can act for the user. */
export function AccountPage() {
  const { text } = useTexts()
  return (
    <Page title={text('account.title')}>
      <StorageSection />
      <ConnectedApps />
    </Page>
  )
}
