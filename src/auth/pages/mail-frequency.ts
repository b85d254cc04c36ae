import type { FastifyInstance } from 'fastify'
import { type MailFrequency, mailFrequencies } from '../../contract/mail-frequencies.ts'
import { findMails, saveMails } from '../../features/people/notifications/mails.store.ts'
import { findUser, type UserRow } from '../../features/people/users/store.ts'
import { fail } from '../../errors.ts'
import { html } from '../../http/html.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import type { Context } from '../../context.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import type { WithForm } from './pages.ts'

type WithToken = { Params: { id: string } }

/**
 * The page behind the link in mails about notifications, where their receiver chooses how many to get without signing in. Opening it
 * changes nothing, because mail scanners open links. The program of a receiver stops the mails by a POST to the same address, with
 * the form `List-Unsubscribe=One-Click` (RFC 8058).
 */
export function mailFrequency(scope: FastifyInstance, ctx: Context): void {
  const url = '/auth/mails/:id'

  pageRoute<WithToken>(scope, 'GET', url, async ({ headers, params }) => {
    const texts = textsFor(headers)
    const user = await receiverOf(params.id)
    if (!user) return unknownPage(texts)
    return formPage(texts, params.id, user, await findMails(ctx.db.read, user.id))
  })

  scope.register(async (own) => {
    // Programs may send the form in this type too (RFC 8058, section 3.2).
    own.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'string', bodyLimit: 4096 },
      async (_request: unknown, text: string) =>
        new URLSearchParams(/List-Unsubscribe[\s\S]*One-Click/.test(text) ? oneClick : {}),
    )
    pageRoute<WithToken & WithForm>(own, 'POST', url, async ({ headers, params, body }) => {
      const texts = textsFor(headers)
      const user = await receiverOf(params.id)
      if (!user) return unknownPage(texts)
      const frequency = chosenIn(body)
      await ctx.transaction((tx) => saveMails(tx, user.id, { frequency }))
      return formPage(texts, params.id, user, { frequency }, texts.text('mails.saved'))
    })
  })

  async function receiverOf(token: string): Promise<UserRow | undefined> {
    const id = ctx.mailTokens.accountOf(token)
    const user = id === undefined ? undefined : await findUser(ctx.db.read, { id })
    return user && ctx.mailTokens.verify(token, user.id, user.email_key ?? '') ? user : undefined
  }
}

const oneClick = { 'List-Unsubscribe': 'One-Click' }

/** @throws BAD_REQUEST if the form neither has a frequency nor comes from a program that stops the mails */
function chosenIn(form: URLSearchParams): MailFrequency {
  if (form.get('List-Unsubscribe') === oneClick['List-Unsubscribe']) return 'off'
  return mailFrequencies.find((one) => one === form.get('frequency')) ?? fail('BAD_REQUEST')
}

const unknownPage = (texts: Texts): PageResponse =>
  pageResponse(texts, {
    status: 404,
    title: texts.text('mails.title'),
    main: html`<p class="notice" role="status">${texts.text('mails.unknown')}</p>
<p><a href="/account">${texts.text('nav.account')}</a></p>`,
  })

function formPage(
  texts: Texts,
  token: string,
  { username }: UserRow,
  { frequency: chosen }: { frequency: MailFrequency },
  saved?: string,
): PageResponse {
  const { text } = texts
  const choices = mailFrequencies.map(
    (
      frequency,
    ) => html`<label><input type="radio" name="frequency" value="${frequency}"${frequency === chosen && html` checked`}> ${text(`mails.frequency.${frequency}`)}</label>
`,
  )
  return pageResponse(texts, {
    title: text('mails.title'),
    main: html`${saved !== undefined && html`<p class="notice" role="status">${saved}</p>`}
<p>${text('mails.of', { user: username })}</p>
<form method="post" action="/auth/mails/${token}">
<fieldset><legend>${text('mails.frequency')}</legend>
${choices}</fieldset>
<button type="submit">${text('mails.save')}</button>
</form>`,
  })
}
