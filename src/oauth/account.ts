import type { FastifyInstance, FastifyReply } from 'fastify'
import { allScopes, isScope, type Scope } from '../contract/scopes.ts'
import type { AccessTokensTable } from '../db/tables.ts'
import { type Allowed, deleteAuthorizationsTo, listAuthorizations } from '../features/access-tokens/authorizations.ts'
import { preparePersonalToken } from '../features/access-tokens/personal-token.ts'
import { deletePersonalToken, insertAccessToken, listAccessTokens } from '../features/access-tokens/store.ts'
import { type Html, html } from '../http/html.ts'
import { checkIsSignedIn } from '../http/session.ts'
import type { Context } from '../operation.ts'
import type { Texts } from '../texts/texts.ts'
import { goTo, ownRoute, sendOwnPage, type Visit, wrongNotice } from './pages.ts'

const day = 24 * 60 * 60 * 1000
const lifetimes = [30, 90, 365]

/** One's own account: personal tokens, and the apps that have access. */
export function account(scope: FastifyInstance, ctx: Context): void {
  ownRoute(scope, ctx, 'GET', '/account', (visit) => sendAccount(visit))

  ownRoute(scope, ctx, 'POST', '/account/tokens', async (visit) => {
    const { form, visitor, texts, reply } = visit
    const name = (form.get('name') ?? '').trim().slice(0, 100)
    const chosen = [...new Set(form.getAll('scopes').filter(isScope))]
    if (!name || chosen.length === 0) {
      return sendAccount({ ...visit, reply: reply.status(400) }, texts.text('tokens.nothingChosen'))
    }
    const days = lifetimes.find((days) => String(days) === form.get('days'))
    const expiresAt = days && ctx.clock.now() + days * day
    const { token, row } = preparePersonalToken(ctx, visitor.user.id, name, chosen, expiresAt)
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, visitor)
      await insertAccessToken(tx, row)
    })
    return sendOwnPage(reply, texts, visitor, {
      title: name,
      main: html`<p class="notice" role="status">${texts.text('tokens.shown')}</p>
<p class="secret">${token}</p>
<p><a href="/account">${texts.text('nav.account')}</a></p>`,
    })
  })

  ownRoute(scope, ctx, 'POST', '/account/tokens/:id/revoke', async ({ reply, visitor }, id) => {
    if (await ctx.transaction((tx) => deletePersonalToken(tx, { id, user: visitor.user.id }))) ctx.actors.forget()
    return goTo(reply, ctx, '/account')
  })

  ownRoute(scope, ctx, 'POST', '/account/connected/:id/revoke', async ({ reply, visitor }, app) => {
    await ctx.transaction((tx) => deleteAuthorizationsTo(tx, { user: visitor.user.id, app }))
    ctx.actors.forget()
    return goTo(reply, ctx, '/account')
  })

  async function sendAccount({ reply, texts, visitor }: Visit, wrong?: string): Promise<FastifyReply> {
    const { text } = texts
    const now = ctx.clock.now()
    const [tokens, authorizations] = await Promise.all([
      listAccessTokens(ctx.db.read, visitor.user.id),
      listAuthorizations(ctx.db.read, { user: visitor.user.id, now }),
    ])
    const personal = tokens.filter(
      ({ app_id, expires_at }) => app_id === null && (expires_at === null || expires_at > now),
    )
    return sendOwnPage(reply, texts, visitor, {
      title: text('account.title'),
      main: html`${wrongNotice(wrong)}
<h2 id="tokens">${text('tokens.title')}</h2>
<p>${text('tokens.what')}</p>
${personal.length === 0 ? html`<p>${text('tokens.none')}</p>` : tokenTable(texts, personal)}
<h2 id="connected">${text('connected.title')}</h2>
${authorizations.length === 0 ? html`<p>${text('connected.none')}</p>` : appTable(texts, authorizations)}
<h2>${text('tokens.new')}</h2>
${tokenForm(texts)}`,
    })
  }
}

function tokenForm({ text }: Texts): Html {
  return html`<form method="post" action="/account/tokens">
<label for="name">${text('tokens.name')}</label>
<p class="hint" id="name-hint">${text('tokens.nameHint')}</p>
<input id="name" name="name" type="text" aria-describedby="name-hint" required maxlength="100">
<fieldset><legend>${text('tokens.scopes')}</legend>
${allScopes.map(
  (scope) => html`<label><input type="checkbox" name="scopes" value="${scope}">
<span>${text(`scope.${scope}`)}</span></label>
`,
)}</fieldset>
<label for="days">${text('tokens.ends')}</label>
<select id="days" name="days">
${lifetimes.map((days) => html`<option value="${days}">${text('tokens.inDays', { days })}</option>`)}
<option value="">${text('tokens.never')}</option>
</select>
<button type="submit">${text('tokens.do')}</button>
</form>`
}

function tokenTable(texts: Texts, tokens: readonly AccessTokensTable[]): Html {
  const { text } = texts
  return html`<table><thead><tr><th scope="col">${text('table.name')}</th><th scope="col">${text('table.allows')}</th>
<th scope="col">${text('table.ends')}</th><th scope="col">${text('table.lastUsed')}</th>
<th scope="col">${text('table.action')}</th></tr></thead><tbody>
${tokens.map(
  ({ id, name, scopes, expires_at, last_used_at }) => html`<tr><th scope="row">${name}</th>
<td>${inWords(texts, [JSON.parse(scopes)])}</td>
<td data-label="${text('table.ends')}">${expires_at === null ? text('tokens.never') : date(texts, expires_at)}</td>
<td data-label="${text('table.lastUsed')}">${last_used_at === null ? text('table.notYet') : date(texts, last_used_at)}</td>
<td>${endButton(texts, `/account/tokens/${id}/revoke`, name)}</td></tr>
`,
)}</tbody></table>`
}

/** One row an app, however often somebody has allowed it something. */
function appTable(texts: Texts, authorizations: readonly Allowed[]): Html {
  const { text } = texts
  const byApp = Map.groupBy(authorizations, ({ app_id }) => app_id)
  return html`<table><thead><tr><th scope="col">${text('table.name')}</th><th scope="col">${text('table.allows')}</th>
<th scope="col">${text('table.since')}</th><th scope="col">${text('table.action')}</th></tr></thead><tbody>
${[...byApp].map(
  ([id, allowed]) => html`<tr><th scope="row">${allowed[0]?.app_name}</th>
<td>${inWords(
    texts,
    allowed.map(({ scopes }) => JSON.parse(scopes)),
  )}</td>
<td data-label="${text('table.since')}">${date(texts, allowed[0]?.created_at ?? 0)}</td>
<td>${endButton(texts, `/account/connected/${id}/revoke`, allowed[0]?.app_name ?? '')}</td></tr>
`,
)}</tbody></table>`
}

const endButton = ({ text }: Texts, action: string, name: string): Html =>
  html`<form method="post" action="${action}"><button class="second" type="submit" aria-label="${text('tokens.revokeNamed', { name })}">${text('tokens.revoke')}</button></form>`

/** What several lists of scopes allow together; all of them where that is everything. */
function inWords({ text }: Texts, lists: readonly Scope[][]): Html {
  const scopes = new Set(lists.flat())
  return html`<details><summary>${text('table.allows')} (${scopes.size})</summary><ul>${[...scopes].map((scope) => html`<li>${text(`scope.${scope}`)}</li>`)}</ul></details>`
}

function date({ language }: Texts, time: number): Html {
  const [day = ''] = new Date(time).toISOString().split('T')
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(time)
  return html`<time datetime="${day}">${shown}</time>`
}
