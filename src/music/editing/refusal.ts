/** Why an operation is refused. The page has a text for each. */
export const refusalReasons = [
  'unknownOperation',
  'noSuchPart',
  'noSuchMeasure',
  'noSuchPosition',
  'noSuchNote',
  'endOfScore',
  'invalidValue',
  'pitchOutOfRange',
  'notANote',
  'alreadyThere',
  'insideTuplet',
  'tooLongForTuplet',
  'crossesBarline',
  'noTuplet',
  'noNextNote',
  'notInOnePart',
  'tooManySigns',
  'noChordSymbol',
  'lastMeasure',
  'notesWouldBeLost',
  'nothingToPaste',
  'lastPart',
  'tooManyParts',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

/** Ends an operation without a result. `applyOperation` turns it into an answer. */
export class Refusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(reason)
    this.reason = reason
  }
}

export function refuse(reason: RefusalReason): never {
  throw new Refusal(reason)
}
