import { useTexts } from '../../app/texts.ts'
import { Page } from '../../ui/page.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { StorageSection } from './storage-section.tsx'
import { Tokens } from './tokens.tsx'

/** The storage of the account, and everything that can act for the user: personal tokens and connected apps. */
export function AccountPage() {
  const { text } = useTexts()
  return (
    <Page title={text('account.title')}>
      <StorageSection />
      <Tokens />
      <ConnectedApps />
    </Page>
  )
}
