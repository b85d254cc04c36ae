import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { appLogos } from './app-logos.ts'
import { consent } from './consent.ts'
import { classSignIn } from '../pages/class-sign-in.ts'
import { tokenEndpoints } from './endpoints.ts'
import { emailVerification } from '../pages/email-verification.ts'
import { forgottenPassword } from '../pages/forgotten-password.ts'
import { mailFrequency } from '../pages/mail-frequency.ts'
import { ownPassword } from '../pages/own-password.ts'
import { invitationPages } from '../pages/invitation-pages.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { pages } from '../pages/pages.ts'
import { passkeySignIn } from '../pages/passkey-sign-in.ts'
import { providerSignIn } from '../pages/provider-sign-in.ts'
import { secondStep } from '../pages/second-factor-page.ts'
import { signIn } from '../pages/sign-in.ts'
import { signedInPage } from '../pages/signed-in-page.ts'
import { signInLinkPages } from '../pages/sign-in-link-pages.ts'
import { signUp } from '../pages/sign-up.ts'

/** Registers the OAuth 2 endpoints for apps, and the pages to sign in and to give consent. */
export function authorizationServer(server: FastifyInstance, ctx: Context): void {
  authorizationServerMetadata(server, ctx.config)
  tokenEndpoints(server, ctx)
  pages(server, ctx, (scope) => {
    signIn(scope, ctx)
    secondStep(scope, ctx)
    signedInPage(scope, ctx)
    passkeySignIn(scope, ctx)
    signInLinkPages(scope, ctx)
    classSignIn(scope, ctx)
    providerSignIn(scope, ctx)
    if (ctx.config.signUp) signUp(scope, ctx)
    forgottenPassword(scope, ctx)
    ownPassword(scope, ctx)
    emailVerification(scope, ctx)
    invitationPages(scope, ctx)
    mailFrequency(scope, ctx)
    consent(scope, ctx)
    appLogos(scope, ctx)
  })
}
