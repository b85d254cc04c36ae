import type { FastifyInstance } from 'fastify'
import type { Context } from '../operation.ts'
import { appLogos } from './app-logos.ts'
import { consent } from './consent.ts'
import { tokenEndpoints } from './endpoints.ts'
import { emailVerification } from './email-verification.ts'
import { forgottenPassword } from './forgotten-password.ts'
import { invitationPages } from './invitation-pages.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { pages } from './pages.ts'
import { providerSignIn } from './provider-sign-in.ts'
import { secondStep } from './second-step.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

/** OAuth2 for apps, and the pages on which people sign in and say what an app may do. */
export function authorizationServer(server: FastifyInstance, ctx: Context): void {
  authorizationServerMetadata(server, ctx.config)
  tokenEndpoints(server, ctx)
  pages(server, ctx, (scope) => {
    signIn(scope, ctx)
    secondStep(scope, ctx)
    providerSignIn(scope, ctx)
    if (ctx.config.signUp) signUp(scope, ctx)
    forgottenPassword(scope, ctx)
    emailVerification(scope, ctx)
    invitationPages(scope, ctx)
    consent(scope, ctx)
    appLogos(scope, ctx)
  })
}
