import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

/** What people need who write programs for this server: personal tokens, and the way to their apps and the documentation. */
export function DeveloperPage() {
  const { text } = useTexts()
  return (
    <Page title={text('developer.title')}>
      <p>
        {text('developer.what')} <a href="/docs">/docs</a>
      </p>
      <Tokens />
      <section aria-labelledby="apps">
        <h2 id="apps">{text('apps.title')}</h2>
        <p>{text('developer.apps')}</p>
        <ButtonLink isSecondary href={pathTo('/account/developer/apps')}>
          {text('nav.apps')}
        </ButtonLink>
      </section>
      <Webhooks />
    </Page>
  )
}
