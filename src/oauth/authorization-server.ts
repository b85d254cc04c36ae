import type { FastifyInstance } from 'fastify'
import type { Context } from '../operation.ts'
import { consent } from './consent.ts'
import { tokenEndpoints } from './endpoints.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { pages } from './pages.ts'
import { signIn } from './sign-in.ts'

/** OAuth2 for apps, and the pages on which people sign in and say what an app may do. */
export function authorizationServer(server: FastifyInstance, ctx: Context): void {
  authorizationServerMetadata(server, ctx.config)
  tokenEndpoints(server, ctx)
  pages(server, ctx, (scope) => {
    signIn(scope, ctx)
    consent(scope, ctx)
  })
}
