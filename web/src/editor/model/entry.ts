import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Pitch } from '../../../../src/music/editing/note-element.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { eventsIn, measureIn } from '../../../../src/music/editing/reading.ts'

const steps = ['C', 'D', 'E', 'F', 'G', 'A', 'B'] as const
export type Step = (typeof steps)[number]

/** The place of a pitch in the diatonic scale, without accidentals. */
const placeOf = ({ step, octave }: Pick<Pitch, 'step' | 'octave'>): number =>
  7 * octave + steps.indexOf(step as Step)

/** The lines of clefs count from the lowest, and a staff has four steps below its middle. */
const linesOfClefs: Readonly<Record<string, Pick<Pitch, 'step' | 'octave'>>> = {
  G: { step: 'G', octave: 4 },
  F: { step: 'F', octave: 3 },
  C: { step: 'C', octave: 4 },
}

/** The place of the middle line of a staff. */
function middleOf(document: ScoreDocument, at: Position): number {
  const clef = measureIn(document, at.part, at.measure)?.staves[at.staff - 1]?.clef
  const named = linesOfClefs[clef?.sign ?? 'G']
  if (!clef || !named) return placeOf({ step: 'B', octave: 4 })
  return placeOf(named) + 2 * (3 - (clef.line ?? 3)) + 7 * clef.octaveChange
}

/**
 * The pitch that a letter means: in the octave nearest to the pitch before, and with the accidental that holds at this place.
 * @param before the pitch that was entered last, or the middle line of the staff
 */
export function pitchOfLetter(
  document: ScoreDocument,
  at: Position,
  step: Step,
  before: Pitch | undefined,
): Pitch {
  const near = before ? placeOf(before) : middleOf(document, at)
  const around = Math.floor(near / 7)
  const octaves = [around - 1, around, around + 1]
  const octave = octaves.reduce((best, one) =>
    Math.abs(placeOf({ step, octave: one }) - near) < Math.abs(placeOf({ step, octave: best }) - near)
      ? one
      : best,
  )
  return { step, octave, alter: alterAt(document, at, step, octave) }
}

/** The next pitch with a letter above a pitch, for another note of a chord. */
export function pitchAbove(document: ScoreDocument, at: Position, step: Step, below: Pitch): Pitch {
  const octave = steps.indexOf(step) > steps.indexOf(below.step as Step) ? below.octave : below.octave + 1
  return { step, octave, alter: alterAt(document, at, step, octave) }
}

/** The alteration of a step: that of the last note of the same pitch in the measure, or of the key signature. */
function alterAt(document: ScoreDocument, at: Position, step: string, octave: number): number {
  const before = eventsIn(document, at)
    .filter(({ position }) => position.onset < at.onset)
    .flatMap(({ notes }) => notes)
    .findLast(({ pitch }) => pitch?.step === step && pitch.octave === octave)
  if (before?.pitch) return before.pitch.alter
  return measureIn(document, at.part, at.measure)?.staves[at.staff - 1]?.alterations.get(step) ?? 0
}
