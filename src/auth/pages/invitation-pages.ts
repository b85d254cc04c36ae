import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../errors.ts'
import {
  findInvitationByCode,
  type InvitationByCode,
  isOpen,
  listInvitationUsers,
} from '../../features/people/organizations/invitations.store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { type Html, html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { sendPage } from '../../http/page.ts'
import { findSessionUser, type SessionUser } from '../sessions/session-user.ts'
import type { Context } from '../../context.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { joinByInvitation, invitationEffect, type SignUp, signUpByInvitation } from './joining.ts'
import { minutesOf, secondsUntilNextAttempt } from '../throttling/next-attempt.ts'
import { accountErrors, newPasswordField, newUsernameField } from './fields.ts'
import { goTo, sendNotDelegated, sendOwnPage, toSignIn, type WithForm, wrongNotice } from './pages.ts'
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

  scope.get<WithCode>(url, async (request, reply) => {
    const { invitation, sessionUser } = await lookUp(request)
    if (!invitation) return sendNotFound(request, reply)
    return sessionUser
      ? sendToSignedOut(request, reply, invitation, sessionUser)
      : sendSignUp(request, reply, invitation)
  })

  scope.post<WithCode & WithForm>(url, async (request, reply) => {
    const { invitation, sessionUser } = await lookUp(request)
    if (!invitation) return sendNotFound(request, reply)
    const path = pathOf(invitation)
    try {
      if (sessionUser?.isDelegated) return sendNotDelegated(request, reply, sessionUser, path)
      if (sessionUser) {
        await joinByInvitation(ctx, invitation.code, sessionUser)
        return goTo(reply, ctx, path)
      }
      const seconds = await secondsUntilNextAttempt(ctx, [
        { key: ['join', networkOf(request.ip)], max: maxAccountsPerNetwork },
      ])
      if (seconds) {
        reply.status(429).header('Retry-After', seconds)
        return sendSignUp(
          request,
          reply,
          invitation,
          textsFor(request.headers).text('form.tooMany', minutesOf(seconds)),
        )
      }
      const account = await signUpByInvitation(ctx, invitation, signUpOf(request))
      const signedIn = await startSession(ctx, request, reply, account, path)
      return signedIn ?? toSignIn(reply, ctx, path)
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      if (error.code === 'INVITATION_NOT_FOUND') return sendNotFound(request, reply)
      if (error.code === 'UNAUTHORIZED') return toSignIn(reply, ctx, path)
      const wrong = refusalReason(textsFor(request.headers), invitation, error)
      reply.status(error.status)
      return sessionUser
        ? sendToSignedOut(request, reply, invitation, sessionUser, wrong)
        : sendSignUp(request, reply, invitation, wrong)
    }
  })

  /** Returns the invitation if it is valid, or if the session user has used it. */
  async function lookUp(request: FastifyRequest<WithCode>) {
    const sessionUser = await findSessionUser(ctx, request.headers)
    const invitation = await findInvitationByCode(ctx.db.read, request.params.code)
    if (!invitation || isOpen(invitation)) return { invitation, sessionUser }
    const users = sessionUser
      ? (await listInvitationUsers(ctx.db.read, [invitation.id])).get(invitation.id)
      : undefined
    const hasUsedIt = sessionUser !== undefined && users?.includes(sessionUser.user.id)
    return { invitation: hasUsedIt ? invitation : undefined, sessionUser }
  }
}

const pathOf = ({ code }: InvitationByCode): string => `/invitations/${encodeURIComponent(code)}`

function sendSignUp(
  request: FastifyRequest,
  reply: FastifyReply,
  invitation: InvitationByCode,
  wrong?: string,
): FastifyReply {
  const texts = textsFor(request.headers)
  const { text } = texts
  const path = pathOf(invitation)
  return sendPage(reply, texts, {
    title: text('invitation.title', { organization: invitation.organization_name }),
    main: html`${describe(texts, invitation)}${wrongNotice(wrong)}
<p><a href="/auth/signin?${new URLSearchParams({ next: path }).toString()}">${text('invitation.have')}</a></p>
${invitation.allows_sign_up_by_code === 1 && signUpForm(texts, path, request)}`,
  })
}

async function sendToSignedOut(
  { headers }: RequestHeaders,
  reply: FastifyReply,
  invitation: InvitationByCode,
  sessionUser: SessionUser,
  wrong?: string,
): Promise<FastifyReply> {
  const texts = textsFor(headers)
  const { text } = texts
  const values = { organization: invitation.organization_name, user: sessionUser.user.username }
  const effect = invitationEffect(sessionUser.user, invitation)
  if (effect === 'is in') {
    const title = text('invitation.isIn', values)
    return sendOwnPage(reply, texts, sessionUser, {
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
  return sendOwnPage(reply, texts, sessionUser, {
    title: text('invitation.title', values),
    main: html`${describe(texts, invitation)}${main}`,
  })
}

function sendNotFound({ headers }: RequestHeaders, reply: FastifyReply): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  const page = { title: text('invitation.none'), main: html`<p>${text('invitation.noneWhy')}</p>` }
  return sendPage(reply.status(404), texts, page)
}

function describe({ text }: Texts, { organization_name: organization, role }: InvitationByCode): Html {
  return html`<p>${text('invitation.what', { organization, role: text(`invitation.role.${role}`) })}</p>`
}

function signUpForm(texts: Texts, path: string, { body }: FastifyRequest): Html {
  const { text } = texts
  const field = (name: string) => (body instanceof URLSearchParams ? (body.get(name) ?? '') : '')
  return html`<h2>${text('signUp.title')}</h2>
<form method="post" action="${path}">
${newUsernameField(texts, field('username'))}
<label for="firstname">${text('invitation.firstname')}</label>
<input id="firstname" name="firstname" type="text" value="${field('firstname')}" autocomplete="given-name" maxlength="60">
<label for="lastname">${text('invitation.lastname')}</label>
<input id="lastname" name="lastname" type="text" value="${field('lastname')}" autocomplete="family-name" maxlength="60">
${newPasswordField(texts)}
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
  { text }: Texts,
  { organization_name: organization }: InvitationByCode,
  { code, param = '' }: Failure,
): string | undefined {
  if (code === 'SEATS_EXHAUSTED') return text('invitation.full', { organization })
  if (code === 'USERNAME_TAKEN') return text('signUp.taken')
  const wrong = wrongFields[param]
  return wrong && text(wrong)
}
