import { listProviders } from '../features/sign-in-providers/store.ts'
import { type Html, html } from '../http/html.ts'
import type { Context } from '../operation.ts'
import type { Texts } from '../texts/catalogue.ts'

/** The providers with which one can sign in here. Links, because a form may not lead where they do. */
export async function providerLinks(ctx: Context, { text }: Texts, next: string): Promise<Html | undefined> {
  const listed = (await listProviders(ctx.db.read)).filter(({ rules }) => rules.isListed)
  if (listed.length === 0) return undefined
  return html`${listed.map(
    ({
      name,
      label,
    }) => html`<p><a class="button" href="${wayTo(name, next)}">${text('provider.with', { provider: label })}</a></p>
`,
  )}<p>${text('provider.or')}</p>`
}

/** Where signing in with a provider begins. */
export const wayTo = (name: string, next: string): string => `/auth/oidc/${name}?${new URLSearchParams({ next })}`
