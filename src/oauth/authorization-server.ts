import type { FastifyInstance } from 'fastify'
import type { Context } from '../operation.ts'
import { account } from './account.ts'
import { consent } from './consent.ts'
import { tokenEndpoints } from './endpoints.ts'
import { forgottenPassword } from './forgotten-password.ts'
import { invitationPages } from './invitation-pages.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { ownApps } from './own-apps.ts'
import { pages } from './pages.ts'
import { passwordThreads } from './password-check.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

/** OAuth2 for apps, and the pages on which people sign in and say what an app may do. */
export function authorizationServer(server: FastifyInstance, ctx: Context): void {
  authorizationServerMetadata(server, ctx.config)
  tokenEndpoints(server, ctx)
  const threads = passwordThreads()
  pages(server, ctx, (scope) => {
    signIn(scope, ctx, threads)
    if (ctx.config.signUp) signUp(scope, ctx, threads)
    forgottenPassword(scope, ctx, threads)
    invitationPages(scope, ctx, threads)
    consent(scope, ctx)
    account(scope, ctx)
    ownApps(scope, ctx)
  })
}
