import Type, { type Static } from 'typebox'
import { OneOf, Nullable } from './schema.ts'
import { pupilSymbolNames } from './sign-in-pictures.ts'

/** Schemas of the requests and responses about the sign-in page of a class. */

const PupilSymbol = OneOf(pupilSymbolNames)

/** The sign-in page of a class, for its teachers. */
export const ClassSignInSettings = Type.Object({
  /** Whether the organization allows sign-in pages of classes. */
  isAllowed: Type.Boolean(),
  /** Whether the students get simple pages unless they choose otherwise. */
  simplePages: Type.Boolean(),
  /** The secret part of the address. Null while nobody has a PIN. */
  code: Nullable(Type.String()),
  students: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** Null without a PIN. */
      symbol: Nullable(PupilSymbol),
    }),
  ),
})
export type ClassSignInSettings = Static<typeof ClassSignInSettings>

/** At most this many PINs are made in one request, because each is hashed. */
export const maxPinsOfRequest = 60

export const NewClassPins = Type.Object(
  {
    /** The students who get a new PIN. Without it, those who have none. */
    students: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: maxPinsOfRequest })),
  },
  { additionalProperties: false },
)

/** The server stores no PIN, only its hash. */
export const ClassPins = Type.Object({
  code: Type.String(),
  cards: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), symbol: PupilSymbol, pin: Type.String() }),
  ),
  /** The names of the students whose password the caller may not set either. */
  refused: Type.Array(Type.String()),
})
export type ClassPins = Static<typeof ClassPins>
