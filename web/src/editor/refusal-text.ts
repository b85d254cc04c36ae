import type { RefusalReason } from '../../../src/music/editing/refusal.ts'
import type { TextKey } from '../../../src/texts/catalogue.ts'

const texts: Readonly<Partial<Record<RefusalReason, TextKey>>> = {
  noSuchPart: 'editing.refusal.noSuchPart',
  noSuchMeasure: 'editing.refusal.noSuchMeasure',
  noSuchPosition: 'editing.refusal.noSuchPosition',
  noSuchNote: 'editing.refusal.noSuchNote',
  endOfScore: 'editing.refusal.endOfScore',
  invalidValue: 'editing.refusal.invalidValue',
  pitchOutOfRange: 'editing.refusal.pitchOutOfRange',
  notANote: 'editing.refusal.notANote',
  alreadyThere: 'editing.refusal.alreadyThere',
  insideTuplet: 'editing.refusal.insideTuplet',
  tooLongForTuplet: 'editing.refusal.tooLongForTuplet',
  crossesBarline: 'editing.refusal.crossesBarline',
  noTuplet: 'editing.refusal.noTuplet',
  noNextNote: 'editing.refusal.noNextNote',
  notInOnePart: 'editing.refusal.notInOnePart',
  tooManySigns: 'editing.refusal.tooManySigns',
  noChordSymbol: 'editing.refusal.noChordSymbol',
  lastMeasure: 'editing.refusal.lastMeasure',
  notesWouldBeLost: 'editing.refusal.notesWouldBeLost',
  nothingToPaste: 'editing.refusal.nothingToPaste',
  lastPart: 'editing.refusal.lastPart',
  tooManyParts: 'editing.refusal.tooManyParts',
}

/** Returns the text that says why an operation was refused. */
export const refusalText = (reason: RefusalReason): TextKey => texts[reason] ?? 'editor.refused'
