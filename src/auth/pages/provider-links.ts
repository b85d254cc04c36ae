import { listProviders } from '../providers/store.ts'
import { type Html, html } from '../../http/html.ts'
import type { Context } from '../../context.ts'
import type { Provider } from '../providers/providers.ts'
import type { Texts } from '../../texts/catalogue.ts'

/**
 * The links to the listed providers. They are links and not forms, because the content security policy
 * forbids forms that lead to other sites.
 */
export async function providerLinks(ctx: Context, texts: Texts, next: string): Promise<Html | undefined> {
  const listed = (await listProviders(ctx.db.read)).filter(({ rules }) => rules.isListed)
  if (listed.length === 0) return undefined
  return html`${providerButtons(listed, texts, next)}<p>${texts.text('provider.or')}</p>`
}

export const providerButtons = (providers: readonly Provider[], { text }: Texts, next: string): Html[] =>
  providers.map(
    ({ name, label }) =>
      html`<p><a class="button" href="${providerSignInPath(name, next)}">${text('provider.with', { provider: label })}</a></p>
`,
  )

/** Returns the path that starts a sign-in with a provider. */
export const providerSignInPath = (name: string, next: string): string =>
  `/auth/oidc/${name}?${new URLSearchParams({ next })}`
