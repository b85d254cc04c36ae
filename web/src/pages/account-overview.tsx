import { ConnectedApps } from '../connected-apps.tsx'
import { Page } from '../page.tsx'
import { useTexts } from '../texts.ts'
import { Tokens } from '../tokens.tsx'

/** What can act for somebody: programs of their own, and apps of others. */
export function AccountOverview() {
  const { text } = useTexts()
  return (
    <Page title={text('account.title')}>
      <Tokens />
      <ConnectedApps />
    </Page>
  )
}
