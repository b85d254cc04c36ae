/** Why an operation is refused. The page has a text for each. */
export type RefusalReason =
  | 'unknownOperation'
  | 'noSuchPart'
  | 'noSuchMeasure'
  | 'noSuchPosition'
  | 'noSuchNote'
  | 'endOfScore'
  | 'invalidValue'
  | 'pitchOutOfRange'
  | 'notANote'
  | 'alreadyThere'
  | 'insideTuplet'
  | 'tooLongForTuplet'
  | 'crossesBarline'
  | 'noTuplet'
  | 'noNextNote'
  | 'notInOnePart'
  | 'tooManySigns'
  | 'noChordSymbol'
  | 'lastMeasure'
  | 'notesWouldBeLost'
  | 'nothingToPaste'
  | 'lastPart'
  | 'tooManyParts'

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
