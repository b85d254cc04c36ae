import { findPasswordOrigin } from '../../features/people/audit/store.ts'
import type { FastifyInstance } from 'fastify'
import type { Transaction } from '../../platform/db/database.ts'
import { type AuditEvent, auditOwn } from '../../features/people/audit/audit.ts'
import { createPendingSignIn } from '../sessions/pending-sign-ins.store.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { hasSecondFactor } from '../second-factor/second-factors.store.ts'
import { createSession } from '../sessions/session.ts'
import { endSession } from '../sessions/revocation.ts'
import { findSession } from '../sessions/store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { html } from '../../http/html.ts'
import { noteSignIn } from '../throttling/address-limits.ts'
import { trustedDeviceCookie } from '../throttling/trusted-device-cookie.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import { type PasswordCheckResult, checkPassword } from '../throttling/password-check.ts'
import { minutesOf, secondsUntil } from '../throttling/next-attempt.ts'
import { requiresProvider } from '../../features/people/organizations/store.ts'
import { fail } from '../../errors.ts'
import { listProviders } from '../providers/store.ts'
import { type Credentials, findCredentials, findUser } from '../../features/people/users/store.ts'
import { findSessionUser, pendingCookie, sessionCookie, sessionHashOf } from '../sessions/session-user.ts'
import { textsFor } from '../../texts/texts.ts'
import { isPathOfThisSite } from '../../lib/site-path.ts'
import type { Context } from '../../context.ts'
import { accountField } from './fields.ts'
import { hidden, type Refusal, redirectTo, type WithForm, wrongNotice } from './pages.ts'
import { classLink } from './class-link.ts'
import { passkeyForm, passkeyScript } from './passkey-form.ts'
import { providerButtons, providerLinks } from './provider-links.ts'

/** The destination after a sign-in without `next`. */
const defaultDestination = '/'

/** Pages to sign in and to sign out. */
export function signIn(scope: FastifyInstance, ctx: Context): void {
  pageRoute<{ Querystring: { next?: string } }>(scope, 'GET', '/auth/signin', async (request) => {
    const next = nextOf(request.query.next)
    const sessionUser = await findSessionUser(ctx, request.headers)
    if (sessionUser && !sessionUser.isDelegated) return redirectTo(ctx, next)
    return signInPage(ctx, request, { next })
  })

  pageRoute<WithForm>(scope, 'POST', '/auth/signin', async (request) => {
    const { body: form } = request
    const name = (form.get('username') ?? '').trim()
    const next = nextOf(form.get('next'))
    const checked = await checkPassword(ctx, name, form.get('password') ?? '', request)
    const signedIn = checked.account && (await startSession(ctx, request, checked.account, next))
    return signedIn ?? wrongPasswordPage(request, { next, name }, checked)
  })

  pageRoute(scope, 'POST', '/auth/signout', async ({ headers }) => {
    const session = sessionHashOf(headers, ctx.config.publicUrl)
    if (session) {
      await ctx.transaction(async (tx) => {
        const { user_id: user } = (await findSession(tx, { hash: session, now: ctx.clock.now() })) ?? {}
        if (!user) return
        await endSession(ctx, tx, session)
        await auditOwn(tx, ctx, user, { action: 'user.signed-out' })
      })
    }
    return redirectTo(ctx, '/auth/signin', [sessionCookie(undefined, ctx.config.publicUrl)])
  })

  function wrongPasswordPage(request: RequestHeaders, form: SignInForm, checked: PasswordCheckResult) {
    const { text } = textsFor(request.headers)
    const refusal = refusalOf(ctx, request, checked.refusedUntil, text('signIn.wrong'))
    return signInPage(ctx, request, form, refusal)
  }
}

interface SignInForm {
  readonly next: string
  readonly name?: string
}

/** Returns the refusal of a sign-in: too many attempts until a time, or the message. */
export function refusalOf(
  ctx: Context,
  { headers }: RequestHeaders,
  refusedUntil: number | undefined,
  wrong: string,
): Refusal {
  if (refusedUntil === undefined) return { status: 401, wrong }
  const seconds = secondsUntil(ctx, refusedUntil)
  const { text } = textsFor(headers)
  return { status: 429, retryAfter: seconds, wrong: text('signIn.tooMany', minutesOf(seconds)) }
}

/** The page with all ways to sign in. */
export async function signInPage(
  ctx: Context,
  { headers }: RequestHeaders,
  { next, name = '' }: SignInForm,
  { wrong, ...refusal }: Partial<Refusal> = {},
): Promise<PageResponse> {
  const texts = textsFor(headers)
  const { text } = texts
  const passkeys = relyingPartyOf(ctx.config) && passkeyForm(texts, { step: 'sign-in', next })
  return pageResponse(texts, {
    ...refusal,
    ...(passkeys && { script: passkeyScript.path }),
    title: text('link.title'),
    main: html`${wrongNotice(wrong)}${classLink(ctx, texts, headers)}${await providerLinks(ctx, texts, next)}
<form method="post" action="/auth/signin">
${hidden('next', next)}
${accountField(texts, name)}
<label for="password">${text('signIn.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000">
<button type="submit">${text('signIn.do')}</button>
</form>
${passkeys}
<p><a href="/auth/password">${text('reset.title')}</a></p>
${ctx.config.signUp && html`<p><a href="/auth/signup">${text('signUp.title')}</a></p>`}`,
  })
}

/**
 * Signs in a user who has entered the password: with a session, or with a pending sign-in if the account has
 * a second factor. Returns undefined and does nothing if the password has changed since it was checked.
 */
export async function startSession(
  ctx: Context,
  request: RequestHeaders,
  account: Credentials,
  next: string,
): Promise<PageResponse | undefined> {
  const started = await ctx.transaction(async (tx) => {
    if ((await findCredentials(tx, account))?.password_hash !== account.password_hash) return undefined
    if (await requiresProvider(tx, account.id)) return 'provider only'
    if (await hasSecondFactor(tx, account.id))
      return { pending: await createPendingSignIn(ctx, tx, account.id) }
    const session = await replaceSession(ctx, tx, request, account.id, 'password')
    return { session, destination: await destinationAfter(tx, account.id, next) }
  })
  if (started === 'provider only') return providerOnlyPage(ctx, request, account.id, next)
  if (started?.session !== undefined) {
    const { session, destination } = started
    return signedInRedirect(ctx, request, { user: account.id, session }, destination)
  }
  if (started === undefined) return undefined
  return redirectTo(ctx, `/auth/second-step?${new URLSearchParams({ next })}`, [
    pendingCookie(started.pending, ctx.config.publicUrl),
  ])
}

/** Refuses the right password or passkey of a member who can sign in only through a provider of the organization. */
export async function providerOnlyPage(
  ctx: Context,
  { headers }: RequestHeaders,
  user: string,
  next: string,
): Promise<PageResponse> {
  const texts = textsFor(headers)
  const { organization_id } = (await findUser(ctx.db.read, { id: user })) ?? fail('UNAUTHORIZED')
  const providers = await listProviders(ctx.db.read)
  const own = providers.filter((provider) => provider.organization_id === organization_id)
  return pageResponse(texts, {
    status: 403,
    title: texts.text('link.title'),
    main: html`${wrongNotice(texts.text('signIn.providerOnly'))}${providerButtons(own, texts, next)}`,
  })
}

/**
 * Creates a session and ends the previous session of the browser, whichever user it belongs to.
 * @param means how the user proved who they are: by password, by the PIN of a class, or by the event to record
 */
export async function replaceSession(
  ctx: Context,
  tx: Transaction,
  { headers, ip }: RequestHeaders,
  user: string,
  means: 'password' | 'pin' | Pick<AuditEvent, 'action' | 'details'>,
): Promise<string> {
  const event = eventOf(means)
  const earlier = sessionHashOf(headers, ctx.config.publicUrl)
  if (earlier) await endSession(ctx, tx, earlier)
  await auditOwn(tx, ctx, user, event)
  await noteSignIn(ctx, tx, { account: user, ip })
  const byResetPassword = means === 'password' && (await findPasswordOrigin(tx, user)) !== 'own'
  return createSession(ctx, tx, user, { byResetPassword, byPin: means === 'pin' })
}

function eventOf(means: Parameters<typeof replaceSession>[4]): Pick<AuditEvent, 'action' | 'details'> {
  if (means === 'password') return { action: 'user.signed-in' }
  return means === 'pin' ? { action: 'user.signed-in', details: { by: 'pin' } } : means
}

/** Returns where a sign-in by password leads: first to the choice of another password if another person has set it. */
export async function destinationAfter(tx: Transaction, user: string, next: string): Promise<string> {
  const origin = await findPasswordOrigin(tx, user)
  const isSet = origin === 'administrator' || origin === 'teacher'
  return isSet ? `/auth/own-password?${new URLSearchParams({ next })}` : next
}

/** Redirects with the session cookie and the trusted-device token of the account. */
export function signedInRedirect(
  ctx: Context,
  { headers }: RequestHeaders,
  { user, session }: { user: string; session: string },
  next: string,
): PageResponse {
  return redirectTo(ctx, next, [
    sessionCookie(session, ctx.config.publicUrl),
    trustedDeviceCookie(ctx, headers, user),
  ])
}

/** The maximum length of `next`. It is stored before the user has authenticated. */
const maxPathLength = 4000

/** Returns the destination in a URL or form, or the first page if it is not a path of this site. */
export const nextOf = (path: unknown): string =>
  typeof path === 'string' && path.length <= maxPathLength && isPathOfThisSite(path)
    ? path
    : defaultDestination
