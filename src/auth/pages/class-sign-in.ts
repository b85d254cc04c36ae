import type { FastifyInstance } from 'fastify'
import { pinLength, pinPictures, pupilSymbols, type PupilSymbol } from '../../contract/sign-in-pictures.ts'
import type { Context } from '../../context.ts'
import { shortName } from '../../features/teaching/picture-sign-in/pins.ts'
import {
  type ClassSignIn,
  findClassSignIn,
  listPinHolders,
  type PinHolder,
} from '../../features/teaching/picture-sign-in/store.ts'
import { type Html, html } from '../../http/html.ts'
import { type PageResponse, pageResponse, pageRoute, pageStyle, withCookies } from '../../http/page.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { checkPin } from '../throttling/pin-check.ts'
import { classCookie, classRoot as root } from './class-link.ts'
import { pageScript, servePageScript } from './page-script.ts'
import { type Refusal, redirectTo, type WithForm, wrongNotice } from './pages.ts'
import { refusalOf, replaceSession, signedInRedirect } from './sign-in.ts'

const style = pageStyle(new URL('./class-sign-in.css', import.meta.url))
const script = pageScript('pin-pad')

const pathOf = (code: string, pupil = '') => [root, code, ...(pupil && [pupil])].map(String).join('/')

type WithCode = { Params: { code: string } }
type WithPupil = { Params: { code: string; pupil: string } }

/** The sign-in pages of classes. A page exists only while the organization allows it, and lists only students. */
export function classSignIn(scope: FastifyInstance, ctx: Context): void {
  servePageScript(scope, script)

  pageRoute<{ Querystring: { code?: string } }>(scope, 'GET', root, ({ headers, query }) => {
    const code = plainCode(query.code ?? '')
    return code === '' ? codePage(textsFor(headers)) : redirectTo(ctx, pathOf(encodeURIComponent(code)))
  })

  pageRoute<WithCode>(scope, 'GET', `${root}/:code`, async ({ headers, params: { code } }) => {
    const texts = textsFor(headers)
    const schoolClass = await findClassSignIn(ctx.db.read, plainCode(code))
    if (!schoolClass) return codePage(texts, { status: 404, wrong: texts.text('classSignIn.unknown') })
    return pupilsPage(texts, schoolClass, code, await listPinHolders(ctx.db.read, schoolClass.id))
  })

  pageRoute<WithPupil>(scope, 'GET', `${root}/:code/:pupil`, async ({ headers, params }) => {
    const found = await findPupil(params)
    return found ? pinPage(textsFor(headers), params, found) : redirectTo(ctx, pathOf(params.code))
  })

  pageRoute<WithPupil & WithForm>(scope, 'POST', `${root}/:code/:pupil`, async (request) => {
    const { params, body: form, headers } = request
    const texts = textsFor(headers)
    const found = await findPupil(params)
    if (!found) return redirectTo(ctx, pathOf(params.code))
    const pin = form.get('pin') ?? ''
    const attempt = { account: found.pupil, schoolClass: found.schoolClass.id, pin }
    const checked = await checkPin(ctx, attempt, request)
    const signedIn = checked.account && (await startSession(request, params, checked.account.password_hash))
    if (signedIn) return signedIn
    return pinPage(
      texts,
      params,
      found,
      refusalOf(ctx, request, checked.refusedUntil, texts.text('classSignIn.wrong')),
    )
  })

  async function findPupil({ code, pupil: id }: WithPupil['Params']): Promise<Found | undefined> {
    const schoolClass = await findClassSignIn(ctx.db.read, plainCode(code))
    const pupils = schoolClass ? await listPinHolders(ctx.db.read, schoolClass.id) : []
    const pupil = pupils.find((one) => one.id === id)
    return schoolClass && pupil && { schoolClass, pupil, pupils }
  }

  /** Returns undefined and does nothing if the PIN has changed since it was checked. */
  async function startSession(
    request: RequestHeaders,
    { code, pupil: id }: WithPupil['Params'],
    checkedHash: string,
  ): Promise<PageResponse | undefined> {
    const session = await ctx.transaction(async (tx) => {
      const schoolClass = await findClassSignIn(tx, plainCode(code))
      const pupils = schoolClass ? await listPinHolders(tx, schoolClass.id) : []
      const isSame = pupils.some((one) => one.id === id && one.password_hash === checkedHash)
      return isSame ? replaceSession(ctx, tx, request, id, 'pin') : undefined
    })
    if (session === undefined) return undefined
    const redirect = signedInRedirect(ctx, request, { user: id, session }, '/')
    return withCookies(redirect, classCookie(ctx, plainCode(code)))
  }
}

interface Found {
  readonly schoolClass: ClassSignIn
  readonly pupil: PinHolder
  readonly pupils: readonly PinHolder[]
}

/** Codes have lower-case letters and no spaces, but people write them as they like. */
const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase().slice(0, 100)

function codePage({ text, ...texts }: Texts, { wrong, ...refusal }: Partial<Refusal> = {}): PageResponse {
  return pageResponse(
    { text, ...texts },
    {
      ...refusal,
      title: text('classSignIn.title'),
      main: html`${wrongNotice(wrong)}<form method="get" action="${root}">
<label for="code">${text('join.code')}</label>
<input id="code" name="code" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="100">
<button type="submit">${text('join.next')}</button>
</form>
<p><a href="/auth/signin">${text('classSignIn.withPassword')}</a></p>`,
    },
  )
}

function pupilsPage(
  texts: Texts,
  { name }: ClassSignIn,
  code: string,
  pupils: readonly PinHolder[],
): PageResponse {
  const { text } = texts
  const items = pupils.map(
    (
      pupil,
    ) => html`<li><a href="${pathOf(code, pupil.id)}">${symbolOf(pupil.symbol)}<span>${shortName(pupil, pupils)}</span></a></li>
`,
  )
  return pageResponse(texts, {
    style,
    title: text('classSignIn.who'),
    main: html`<p class="hint">${name}</p>
<ul class="pupils">
${items}</ul>
${pupils.length === 0 && html`<p>${text('classSignIn.nobody')}</p>`}
<p><a href="/auth/signin">${text('classSignIn.withPassword')}</a></p>`,
  })
}

/** The page works with the digits alone, and with the script also with their pictures. */
function pinPage(
  texts: Texts,
  { code, pupil: id }: WithPupil['Params'],
  { pupil, pupils }: Found,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const { text } = texts
  const key = (digit: number) =>
    html`<button type="button" value="${digit}" aria-label="${digit}">${drawing(pinPictures[digit] ?? [])}<span>${digit}</span></button>
`
  return pageResponse(texts, {
    ...refusal,
    style,
    script: script.path,
    title: text('classSignIn.pinTitle'),
    main: html`<p class="pupil">${symbolOf(pupil.symbol)}<span>${shortName(pupil, pupils)}</span></p>
${wrongNotice(wrong)}
<form method="post" action="${pathOf(code, id)}">
<div data-pin-pad hidden>
<p class="pin-marks" aria-hidden="true">${Array.from({ length: pinLength }, () => html`<span></span>`)}</p>
<div class="pin-keys" role="group" aria-label="${text('classSignIn.pictures')}">
${[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(key)}<button class="start-over" type="button" value="">${text('classSignIn.startOver')}</button>
</div>
</div>
<label for="pin">${text('classSignIn.pin')}</label>
<input id="pin" name="pin" type="password" inputmode="numeric" autocomplete="off" required pattern="[0-9]{${pinLength}}" maxlength="${pinLength}">
<button type="submit">${text('signIn.do')}</button>
</form>
<p><a href="${pathOf(code)}">${text('classSignIn.notMe')}</a></p>`,
  })
}

const symbolOf = (symbol: PupilSymbol): Html => drawing(pupilSymbols[symbol])

const drawing = (shapes: readonly (readonly [fill: string, path: string])[]): Html =>
  html`<svg viewBox="0 0 48 48" aria-hidden="true">${shapes.map(([fill, path]) => html`<path fill="${fill}" d="${path}"/>`)}</svg>`
