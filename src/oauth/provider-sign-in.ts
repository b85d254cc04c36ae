import type { FastifyInstance, FastifyReply } from 'fastify'
import { tryCount } from '../features/sessions/attempts.ts'
import { type Claims, somebodyOf } from '../features/sign-in-providers/claims.ts'
import {
  findProvider,
  insertProviderSignIn,
  type ProviderOf,
  takeProviderSignIn,
} from '../features/sign-in-providers/store.ts'
import type { Asker } from '../http/asker.ts'
import { cookie, cookieOf } from '../http/cookies.ts'
import { html } from '../http/html.ts'
import { networkOf } from '../http/network.ts'
import { sendPage } from '../http/page.ts'
import { findVisitor } from '../http/session.ts'
import { hashToken, isToken, newToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'
import { minutesOf } from './limited.ts'
import { goTo, wrongNotice } from './pages.ts'
import { asArrived, type NotHere } from './provider-accounts.ts'
import { providerClient, ProviderTrouble, secretsOf } from './provider-client.ts'
import { wayTo } from './provider-links.ts'
import { nextOf, takeOver, welcome } from './sign-in.ts'

type OfProvider = { Params: { name: string }; Querystring: { next?: string } }

/** How long somebody may take at a provider. */
const wayMilliseconds = 10 * 60 * 1000
/** How many may set out from one network within a quarter of an hour: a school has one, and each of them is a row. */
const mostWays = 1000
const cookieName = 'partita_way'

const statuses = {
  none: 404,
  notBegun: 400,
  silent: 502,
  refuses: 403,
  notBelieved: 502,
  noAccount: 403,
  otherDomain: 403,
  unclear: 409,
  full: 402,
} satisfies Record<NotHere | ProviderTrouble['kind'] | 'none' | 'notBegun', number>
type Trouble = keyof typeof statuses

/**
 * Signing in with an account of the school, at its OpenID provider (OpenID Connect Core 1.0, section 3.1). A provider has an
 * address of its own to come back to, so that none can pass somebody off as coming from another (RFC 9700, section 4.4).
 */
export function providerSignIn(scope: FastifyInstance, ctx: Context): void {
  const client = providerClient(ctx)
  const { publicUrl } = ctx.config
  const url = '/auth/oidc/:name'
  const backTo = ({ name }: ProviderOf) => `${publicUrl}/auth/oidc/${name}/callback`

  scope.get<OfProvider>(url, async (request, reply) => {
    const next = nextOf(request.query.next)
    const visitor = await findVisitor(ctx, request.headers)
    if (visitor && !visitor.isByLink) return goTo(reply, ctx, next)
    const provider = await findProvider(ctx.db.read, request.params.name)
    if (!provider) return sendTrouble(request, reply, 'none')
    const way = newToken('providerSignIn')
    try {
      const address = await client.addressOf(provider, backTo(provider), secretsOf(way))
      const begun = { hash: hashToken(way), provider: provider.name, destination: next }
      const now = ctx.clock.now()
      const ways = [{ of: ['way', networkOf(request.ip)], most: mostWays }]
      const refusedUntil = await ctx.transaction(async (tx) => {
        const until = await tryCount(ctx, tx, ways)
        if (until === undefined) await insertProviderSignIn(tx, { ...begun, expires_at: now + wayMilliseconds })
        return until
      })
      if (refusedUntil !== undefined) return sendTooMany(request, reply, Math.ceil((refusedUntil - now) / 1000))
      reply.header('Set-Cookie', cookie(cookieName, way, wayMilliseconds, publicUrl))
      return goTo(reply, ctx, address.href)
    } catch (error) {
      return sendTrouble(request, reply, troubleIn(error, request), provider, next)
    }
  })

  scope.get<OfProvider>(`${url}/callback`, async (request, reply) => {
    const provider = await findProvider(ctx.db.read, request.params.name)
    if (!provider) return sendTrouble(request, reply, 'none')
    const cameBack = new URL(backTo(provider))
    cameBack.search = new URL(request.url, publicUrl).search
    const way = cookieOf(request.headers, cookieName, publicUrl)
    const destination = await endOfWay(way, provider, cameBack)
    if (way === undefined || destination === undefined) return sendTrouble(request, reply, 'notBegun', provider)
    reply.header('Set-Cookie', cookie(cookieName, undefined, 0, publicUrl))
    try {
      const claims = await client.claimsOf(provider, cameBack, secretsOf(way))
      const arrived = await arrive(request, provider, claims)
      if ('notHere' in arrived) return sendTrouble(request, reply, arrived.notHere, provider, destination)
      return welcome(ctx, request, reply, arrived.done, destination)
    } catch (error) {
      return sendTrouble(request, reply, troubleIn(error, request), provider, destination)
    }
  })

  /** Where who comes back wanted to go, where this very browser has begun it; of several who try at once, one comes through. */
  async function endOfWay(way: string | undefined, provider: ProviderOf, cameBack: URL): Promise<string | undefined> {
    if (way === undefined || !isToken('providerSignIn', way)) return undefined
    // Whoever sends a browser here does not know this, and ends nothing that is on its way.
    const states = cameBack.searchParams.getAll('state')
    if (states.length !== 1 || states[0] !== secretsOf(way).state) return undefined
    const begun = { hash: hashToken(way), provider: provider.name, now: ctx.clock.now() }
    return ctx.transaction((tx) => takeProviderSignIn(tx, begun))
  }

  /** Begins the session of who has come. A second step is the provider's to ask for, as the password is. */
  function arrive(request: Asker, provider: ProviderOf, claims: Claims) {
    const { language } = textsFor(request.headers)
    const arrival = { provider, subject: claims.sub, somebody: somebodyOf(provider, claims), language }
    const how = { action: 'user.signed-in-by-provider', details: { provider: provider.name } } as const
    return asArrived(ctx, arrival, async (tx, user) => ({
      user,
      session: await takeOver(ctx, tx, request, user, how),
    }))
  }
}

function troubleIn(error: unknown, { log, id }: Asker): Trouble {
  if (!(error instanceof ProviderTrouble)) throw error
  log.warn({ err: error, request: id }, 'sign-in with a provider')
  return error.kind
}

function sendTooMany({ headers }: Asker, reply: FastifyReply, seconds: number): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  return sendPage(reply.status(429).header('Retry-After', seconds), texts, {
    title: text('provider.failed'),
    main: wrongNotice(text('form.tooMany', minutesOf(seconds))) ?? html``,
  })
}

function sendTrouble(
  { headers, id }: Asker,
  reply: FastifyReply,
  trouble: Trouble,
  provider?: ProviderOf,
  next?: string,
): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  const about = {
    provider: provider?.label ?? '',
    organization: provider?.organization_name ?? '',
    domains: provider?.rules.domains.join(', ') ?? '',
    id,
  }
  const [again, otherwise] = [nextOf(next), new URLSearchParams({ next: nextOf(next) }).toString()]
  return sendPage(reply.status(statuses[trouble]), texts, {
    title: text('provider.failed'),
    main: html`<p class="wrong" role="alert">${text(`provider.${trouble}`, about)}</p>
${provider && html`<p><a href="${wayTo(provider.name, again)}">${text('provider.again')}</a></p>`}
<p><a href="/auth/signin?${otherwise}">${text('provider.otherwise')}</a></p>`,
  })
}
