import { useTexts } from '../../app/texts.ts'
import { Page } from '../../ui/page.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { Tokens } from './tokens.tsx'

/** Everything that can act for the user: personal tokens and connected apps. */
export function AccountPage() {
  const { text } = useTexts()
  return (
    <Page title={text('account.title')}>
      <Tokens />
      <ConnectedApps />
    </Page>
  )
}
