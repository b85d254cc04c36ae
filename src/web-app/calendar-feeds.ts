import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { listDueMoments } from '../features/teaching/agenda/calendar.ts'
import { findFeedVersion } from '../features/teaching/agenda/feeds.store.ts'
import { readerOf } from '../features/teaching/agenda/recipient.ts'
import { findUser } from '../features/people/users/store.ts'
import { isUnchanged } from '../http/conditional.ts'
import { hour, second } from '../lib/durations.ts'
import { icalendarOf } from '../lib/icalendar.ts'

/** The requests for one calendar in an hour. A program asks a few times a day, and a user has a few devices. */
const requestsPerHour = 60
/** The hours after which programs should read a calendar again. */
const readAgain = 4

/**
 * Serves the due dates of a user to calendar programs, at an address that is the permission. It has the titles and dates of the
 * user's assignments and nothing else.
 */
export function calendarFeeds(server: FastifyInstance, ctx: Context): void {
  const limiter = new RateLimiterMemory({ points: requestsPerHour, duration: hour / second })

  server.get<{ Params: { name: string } }>('/calendars/:name', async (request, reply) => {
    // A text that is no answer, such as an error, is not stored either.
    reply.header('Cache-Control', 'private, no-cache')
    const user = await ownerOf(/^(.*)\.ics$/.exec(request.params.name)?.[1] ?? '')
    if (!user) fail('NOT_FOUND')
    await limiter.consume(user.id).catch((rejected) => {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      reply.header('Retry-After', Math.ceil(rejected.msBeforeNext / second))
      fail('TOO_MANY_ATTEMPTS')
    })
    const reader = readerOf(user)
    const due = reader ? await listDueMoments(ctx, reader) : []
    const moments = due.map(({ className: _, ...moment }) => moment)
    const calendar = icalendarOf('Partita', moments, readAgain)
    if (isUnchanged(request, reply, hash('sha1', calendar, 'base64url'))) return reply.status(304).send()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Content-Disposition', 'attachment; filename="partita.ics"')
      .send(calendar)
  })

  /** Returns the user whose calendar a token opens. A removed account has none. */
  async function ownerOf(token: string) {
    const id = ctx.calendarTokens.accountOf(token)
    if (id === undefined) return undefined
    const [user, version] = await Promise.all([
      findUser(ctx.db.read, { id }),
      findFeedVersion(ctx.db.read, id),
    ])
    const isValid = version !== undefined && ctx.calendarTokens.verify(token, id, version)
    return isValid ? user : undefined
  }
}
