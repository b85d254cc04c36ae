import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../errors.ts'
import {
  allowsSignUp,
  findInvitationByCode,
  type InvitationByCode,
  isOpen,
  listInvitationUsers,
} from '../../features/people/organizations/invitations.store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { type Html, html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import { findSessionUser, type SessionUser } from '../sessions/session-user.ts'
import type { Context } from '../../context.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { joinByInvitation, invitationEffect, type SignUp, signUpByInvitation } from './joining.ts'
import { minutesOf, secondsUntilNextAttempt } from '../throttling/next-attempt.ts'
import { minPasswordLength, type PasswordHolder } from '../passwords/password-policy.ts'
import { accountErrors, newPasswordField, newUsernameField, refusalText } from './fields.ts'
import {
  ownPage,
  type Refusal,
  redirectTo,
  redirectToSignIn,
  restrictionOf,
  type WithForm,
  wrongNotice,
} from './pages.ts'
import { startSession } from './sign-in.ts'

type WithCode = { Params: { code: string } }

/**
 * The maximum number of accounts that are created from one network in 15 minutes. A school usually has one
 * network.
 */
const maxAccountsPerNetwork = 300

/**
 * The page that the link of an invitation opens. A signed-in user joins with the current account. Other users
 * sign in first, or create an account if the organization permits it. An expired invitation looks like an
 * unknown one.
 */
export function invitationPages(scope: FastifyInstance, ctx: Context): void {
  const url = '/invitations/:code'

  pageRoute<WithCode>(scope, 'GET', url, async (request) => {
    const { invitation, sessionUser } = await lookUp(request)
    if (!invitation) return notFoundPage(request)
    return sessionUser ? joinPage(request, invitation, sessionUser) : signUpPage(ctx, request, invitation)
  })

  pageRoute<WithCode & WithForm>(scope, 'POST', url, async (request) => {
    const { invitation, sessionUser } = await lookUp(request)
    if (!invitation) return notFoundPage(request)
    const path = pathOf(invitation)
    try {
      if (sessionUser) {
        const restriction = restrictionOf(ctx, request, sessionUser, path)
        if (restriction) return restriction
        await joinByInvitation(ctx, invitation.code, sessionUser)
        return redirectTo(ctx, path)
      }
      const seconds = await secondsUntilNextAttempt(ctx, [
        { key: ['join', networkOf(request.ip)], max: maxAccountsPerNetwork },
      ])
      if (seconds) {
        const wrong = textsFor(request.headers).text('form.tooMany', minutesOf(seconds))
        return signUpPage(ctx, request, invitation, { status: 429, retryAfter: seconds, wrong })
      }
      const account = await signUpByInvitation(ctx, networkOf(request.ip), invitation, signUpOf(request))
      const signedIn = await startSession(ctx, request, account, path)
      return signedIn ?? redirectToSignIn(ctx, path)
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      if (error.code === 'INVITATION_NOT_FOUND') return notFoundPage(request)
      if (error.code === 'UNAUTHORIZED') return redirectToSignIn(ctx, path)
      const wrong = refusalReason(ctx, textsFor(request.headers), invitation, error)
      const refusal = { status: error.status, wrong }
      return sessionUser
        ? joinPage(request, invitation, sessionUser, refusal)
        : signUpPage(ctx, request, invitation, refusal)
    }
  })

  /** Returns the invitation if it is valid, or if the session user has used it. */
  async function lookUp(request: FastifyRequest<WithCode>) {
    const sessionUser = await findSessionUser(ctx, request.headers)
    const invitation = await findInvitationByCode(ctx.db.read, request.params.code)
    if (!invitation || isOpen(invitation, ctx.clock.now())) return { invitation, sessionUser }
    const users = sessionUser
      ? (await listInvitationUsers(ctx.db.read, [invitation.id])).get(invitation.id)
      : undefined
    const hasUsedIt = sessionUser !== undefined && users?.includes(sessionUser.user.id)
    return { invitation: hasUsedIt ? invitation : undefined, sessionUser }
  }
}

/** The account that a visitor can create with an invitation. */
const holderOf = ({ role, min_password_length }: InvitationByCode): PasswordHolder => ({
  role,
  organizationMinimum: min_password_length,
})

const pathOf = ({ code }: InvitationByCode): string => `/invitations/${encodeURIComponent(code)}`

function signUpPage(
  { config }: Context,
  request: FastifyRequest,
  invitation: InvitationByCode,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const texts = textsFor(request.headers)
  const { text } = texts
  const path = pathOf(invitation)
  return pageResponse(texts, {
    ...refusal,
    title: text('invitation.title', { organization: invitation.organization_name }),
    main: html`${describe(texts, invitation)}${wrongNotice(wrong)}
<p><a href="/auth/signin?${new URLSearchParams({ next: path }).toString()}">${text('invitation.have')}</a></p>
${
  allowsSignUp(invitation)
    ? signUpForm(texts, path, request, minPasswordLength(config, holderOf(invitation)))
    : html`<p>${text('invitation.noAccount')}</p>`
}`,
  })
}

function joinPage(
  { headers }: RequestHeaders,
  invitation: InvitationByCode,
  sessionUser: SessionUser,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  const values = { organization: invitation.organization_name, user: sessionUser.user.username }
  const effect = invitationEffect(sessionUser.user, invitation)
  if (effect === 'is in') {
    const title = text('invitation.isIn', values)
    return ownPage(texts, sessionUser, {
      ...refusal,
      title,
      main: html`<p>${text('invitation.isInWhat', values)}</p>`,
    })
  }
  const main =
    effect === 'elsewhere'
      ? html`<p class="notice">${text('invitation.elsewhere', values)}</p>`
      : html`${wrongNotice(wrong)}
<p>${text(effect === 'joins' ? 'invitation.joinWhat' : 'invitation.roleWhat', values)}</p>
<form method="post" action="${pathOf(invitation)}"><button type="submit">${text('invitation.join')}</button></form>`
  return ownPage(texts, sessionUser, {
    ...refusal,
    title: text('invitation.title', values),
    main: html`${describe(texts, invitation)}${main}`,
  })
}

function notFoundPage({ headers }: RequestHeaders): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  return pageResponse(texts, {
    status: 404,
    title: text('invitation.none'),
    main: html`<p>${text('invitation.noneWhy')}</p>
<p><a href="/auth/signin">${text('signUp.have')}</a></p>`,
  })
}

function describe({ text, language }: Texts, invitation: InvitationByCode): Html {
  const { organization_name: organization, role, expires_at } = invitation
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expires_at)
  const what = text('invitation.what', { organization, role: text(`invitation.role.${role}`) })
  return html`<p>${what} ${text('invitation.until', { date })}</p>`
}

function signUpForm(texts: Texts, path: string, { body }: FastifyRequest, min: number): Html {
  const { text } = texts
  const field = (name: string) => (body instanceof URLSearchParams ? (body.get(name) ?? '') : '')
  return html`<h2>${text('signUp.title')}</h2>
<form method="post" action="${path}">
${newUsernameField(texts, field('username'))}
<label for="firstname">${text('invitation.firstname')}</label>
<input id="firstname" name="firstname" type="text" value="${field('firstname')}" autocomplete="given-name" maxlength="60">
<label for="lastname">${text('invitation.lastname')}</label>
<input id="lastname" name="lastname" type="text" value="${field('lastname')}" autocomplete="family-name" maxlength="60">
${newPasswordField(texts, min)}
<button type="submit">${text('signUp.do')}</button>
</form>`
}

function signUpOf({ body, headers }: FastifyRequest<WithForm>): SignUp {
  const field = (name: string) => (body.get(name) ?? '').trim()
  return {
    username: field('username'),
    password: body.get('password') ?? '',
    firstname: field('firstname'),
    lastname: field('lastname'),
    locale: textsFor(headers).language,
  }
}

/** The message for each field that an account can be refused for. */
const wrongFields: Readonly<Record<string, TextKey>> = {
  ...accountErrors,
  firstname: 'invitation.badName',
  lastname: 'invitation.badName',
}

/** Returns the reason of a refusal; undefined if the page shows it in any case. */
function refusalReason(
  { config }: Context,
  texts: Texts,
  invitation: InvitationByCode,
  error: Failure,
): string | undefined {
  const { organization_name: organization } = invitation
  if (error.code === 'SEATS_EXHAUSTED') return texts.text('invitation.full', { organization })
  if (error.code === 'USERNAME_TAKEN') return texts.text('signUp.taken')
  return refusalText(texts, error, wrongFields, minPasswordLength(config, holderOf(invitation)))
}
