import { child, childText, type Element } from '../../model/document.ts'
import { lengthText } from './text.ts'
import { type Chord, signsOf } from './voices.ts'

/** The largest number in `(p:q:r` that all programs read. */
const maxTupletNumber = 9

/**
 * Returns the chords of a measure of a voice with spaces where it is silent.
 * @param length ticks of the measure
 */
export function chordsWithSpaces(chords: readonly Chord[], length: number, ticksPerQuarter: number): Chord[] {
  const filled: Chord[] = []
  let position = 0
  const fillUntil = (end: number) => {
    while (position < end) {
      const duration = noteValueWithin(end - position, ticksPerQuarter)
      filled.push(space(position, duration))
      position += duration
    }
  }
  for (const chord of chords) {
    fillUntil(chord.onset)
    filled.push(chord)
    position = chord.onset + chord.duration
  }
  fillUntil(length)
  return filled
}

const space = (onset: number, duration: number): Chord => ({
  onset,
  duration,
  notes: [],
  kind: 'space',
  graces: [],
  slurs: { begin: 0, end: 0 },
})

/** Returns the duration if it is one note value, with at most two dots, or the largest value in it. */
function noteValueWithin(duration: number, ticksPerQuarter: number): number {
  // In the shortest notes that programs can draw.
  const shortest = ticksPerQuarter / 32
  let odd = duration / shortest
  if (!Number.isInteger(odd)) return duration
  const largest = 2 ** Math.floor(Math.log2(odd))
  while (odd % 2 === 0) odd /= 2
  return odd === 1 || odd === 3 || odd === 7 ? duration : largest * shortest
}

interface Length {
  /** `(p:q:r` before the first chord of a tuplet. */
  readonly tuplet: string
  readonly length: string
}

interface Ratio {
  readonly actual: number
  readonly normal: number
}

/**
 * Returns the length of each chord, in eighths. Chords of a tuplet have the length of their note values. One that ABC cannot
 * write, with numbers above 9 or inside another, has fractions without a bracket. Its chords are as long as they sound.
 */
export function lengthsOf(chords: readonly Chord[], ticksPerQuarter: number): (chord: Chord) => Length {
  const lengths = new Map<Chord, Length>()
  const inEighths = ({ duration }: Chord, { actual, normal }: Ratio) =>
    lengthText(duration * 2 * actual, ticksPerQuarter * normal)
  let group: Chord[] = []
  let ratio: Ratio | undefined

  function close(): void {
    for (const [place, chord] of group.entries()) {
      const tuplet = place === 0 && ratio ? `(${ratio.actual}:${ratio.normal}:${group.length}` : ''
      lengths.set(chord, { tuplet, length: inEighths(chord, ratio ?? { actual: 1, normal: 1 }) })
    }
    group = []
  }

  for (const chord of chords) {
    const own = ratioOf(chord.notes[0])
    const isNew = own?.actual !== ratio?.actual || own?.normal !== ratio?.normal
    if (
      isNew ||
      !own ||
      tupletSign(chord, 'start') ||
      group.length === maxTupletNumber ||
      isFull(group, ratio)
    )
      close()
    ratio = own
    group.push(chord)
    if (tupletSign(chord, 'stop')) close()
  }
  close()
  return (chord) => lengths.get(chord) ?? { tuplet: '', length: '' }
}

function ratioOf(note: Element | undefined): Ratio | undefined {
  const modification = note && child(note, 'time-modification')
  if (!modification) return undefined
  const actual = Number(childText(modification, 'actual-notes'))
  const normal = Number(childText(modification, 'normal-notes'))
  const isWritable = (one: number, least: number) =>
    Number.isInteger(one) && one >= least && one <= maxTupletNumber
  return isWritable(actual, 2) && isWritable(normal, 1) ? { actual, normal } : undefined
}

/** Whether the chords are as many as the tuplet has notes of the value of the first one. */
function isFull(group: readonly Chord[], ratio: Ratio | undefined): boolean {
  const [first] = group
  if (!first || !ratio) return false
  return group.reduce((sum, { duration }) => sum + duration, 0) >= first.duration * ratio.actual
}

const tupletSign = ({ notes: [note] }: Chord, type: 'start' | 'stop'): boolean =>
  note !== undefined &&
  signsOf(note).some(({ name, attributes }) => name === 'tuplet' && attributes.type === type)
