import Type, { type Static } from 'typebox'
import { eventDays } from './event-types.ts'
import { DateTime, named, Nullable } from './schema.ts'

const Id = Type.Optional(Type.String())

const EventData = named(
  'EventData',
  Type.Object({
    actor: Nullable(
      Type.String({
        description: 'The account that caused the event. `null` for the server and its command line.',
      }),
    ),
    url: Type.Optional(Type.String({ description: 'The address of the object that the event is about.' })),
    score: Id,
    revision: Id,
    class: Id,
    assignment: Id,
    submission: Id,
    comment: Id,
    user: Id,
  }),
)

export const Event = named(
  'Event',
  Type.Object({
    id: Type.String({ description: 'A webhook sends it as `webhook-id`.' }),
    type: Type.String({ description: 'Such as `submission.submitted`.' }),
    timestamp: DateTime,
    data: EventData,
  }),
)
export type Event = Static<typeof Event>

/** A list of values in a query, separated by commas. */
const typeList = (types: readonly string[]) =>
  Type.Optional(
    Type.String({
      description: `Only events of these types, separated by commas: ${types.map((type) => `\`${type}\``).join(', ')}.`,
    }),
  )

/** @param types the types that the list can have */
export const eventsQuery = (types: readonly string[]) =>
  Type.Object({
    after: Type.Optional(
      Type.String({
        description:
          'The id of the last event that you have. The list continues after it. Without it, the list begins with ' +
          `the oldest event, which is at most ${eventDays} days old.`,
      }),
    ),
    types: typeList(types),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  })

export const Events = Type.Array(Event)
