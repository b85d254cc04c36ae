import type { Static } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Event, eventsQuery } from '../../../contract/events.ts'
import { fail } from '../../../errors.ts'
import { presentEvent } from './present.ts'
import { dispatchEvents } from './dispatch.ts'
import { type Audience, findPosition, hasUnplaced, listEvents } from './store.ts'

type Query = Static<ReturnType<typeof eventsQuery>>

/**
 * Returns the events of an audience that follow one that the caller has, in their order.
 * @param known the types of the audience
 * @throws INVALID_PARAMETER for another type; INVALID_CURSOR for an event that the audience does not have, or not any more
 */
export async function readEvents(
  ctx: Context,
  audience: Audience,
  { after, types, limit = 25 }: Query,
  known: readonly string[],
): Promise<Event[]> {
  const wanted = types?.split(',').map((type) => type.trim())
  const wrong = wanted?.find((type) => !known.includes(type))
  if (wrong !== undefined)
    fail('INVALID_PARAMETER', { param: 'types', message: `\`types\` has no value "${wrong.slice(0, 50)}".` })
  while (await hasUnplaced(ctx.db.read)) await ctx.transaction((tx) => dispatchEvents(ctx, tx))
  const start = after === undefined ? 0 : await findPosition(ctx.db.read, audience, after)
  if (start === undefined)
    fail('INVALID_CURSOR', { param: 'after', message: 'There is no such event, or it was deleted.' })
  const events = await listEvents(ctx.db.read, audience, { after: start, types: wanted, limit })
  return events.map((event) => presentEvent(event, ctx.config.publicUrl))
}
