import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { miniScore } from '../../testing/mini-score.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'
import { writeMidi } from './write.ts'

/** Divisions of a quarter note. Each note of the tuplets below has a whole number of them. */
const QUARTER = 420

const even = (count: number, of = QUARTER) => Array.from({ length: count }, () => of / count)
/** The lengths of the notes of a beat; a negative one is a rest. */
const quarterBeats = [
  ...[1, 2, 3, 4, 5, 6, 7].map((count) => even(count)),
  [QUARTER * 0.75, QUARTER * 0.25],
  [QUARTER / 4, QUARTER / 2, QUARTER / 4],
  [QUARTER / 2, -QUARTER / 2],
]
const dottedBeats = [...[1, 3, 6].map((count) => even(count, 1.5 * QUARTER)), [QUARTER, QUARTER / 2]]
const meters = [
  { beats: 4, beatType: 4, count: 4, of: quarterBeats },
  { beats: 3, beatType: 4, count: 3, of: quarterBeats },
  { beats: 2, beatType: 4, count: 2, of: quarterBeats },
  { beats: 6, beatType: 8, count: 2, of: dottedBeats },
]

const keys = fc.array(fc.integer({ min: 48, max: 84 }), { minLength: 16, maxLength: 64 })
const piece = fc.constantFrom(...meters).chain((meter) =>
  fc.tuple(
    fc.constant(meter),
    fc.array(fc.array(fc.constantFrom(...meter.of), { minLength: meter.count, maxLength: meter.count }), {
      minLength: 2,
      maxLength: 6,
    }),
    keys,
  ),
)

const steps = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B']

function noteXml(key: number, duration: number): string {
  if (duration < 0) return `<note><rest/><duration>${-duration}</duration></note>`
  const [step = 'C', sharp] = steps[key % 12] ?? 'C'
  const alter = sharp ? '<alter>1</alter>' : ''
  const pitch = `<pitch><step>${step}</step>${alter}<octave>${Math.floor(key / 12) - 1}</octave></pitch>`
  return `<note>${pitch}<duration>${duration}</duration></note>`
}

/** The places and keys of the notes, to a thousandth of a quarter note. */
function notesOf(document: ScoreDocument): string[] {
  const { parts, ticksPerQuarter } = timelineOf(document)
  return parts.flatMap(({ notes }) =>
    notes.map(({ startTick, key }) => `${key}@${(startTick / ticksPerQuarter).toFixed(3)}`),
  )
}

/** The numbers of the tuplets with a bracket, in order. */
function tupletsOf(document: ScoreDocument): number[] {
  const notes = partsOf(document).flatMap((part) =>
    measuresOf(part).flatMap((measure) => childrenNamed(measure, 'note')),
  )
  const starts = (note: Element) =>
    childrenNamed(note, 'notations').some((notations) =>
      childrenNamed(notations, 'tuplet').some(({ attributes }) => attributes.type === 'start'),
    )
  return notes.filter(starts).map((note) => {
    const [ratio] = childrenNamed(note, 'time-modification')
    return Number(ratio && childText(ratio, 'actual-notes'))
  })
}

const isTuplet = (beat: readonly number[]) => [3, 5, 6, 7].includes(beat.length) && new Set(beat).size === 1

test('a score that is written as MIDI and read again has the same notes, tuplets and measures', () => {
  fc.assert(
    fc.property(piece, ([meter, measures, pitches]) => {
      let place = 0
      const time = `<time><beats>${meter.beats}</beats><beat-type>${meter.beatType}</beat-type></time>`
      const attributes = `<attributes><divisions>${QUARTER}</divisions>${time}</attributes>`
      const written = miniScore({
        name: 'Flute',
        measures: measures.map((beats, index) => {
          const notes = beats
            .flat()
            .map((duration) => noteXml(pitches[place++ % pitches.length] ?? 60, duration))
          return (index === 0 ? attributes : '') + notes.join('')
        }),
      })
      const read = readMidi(writeMidi(timelineOf(written)), createRepairs())
      expect(notesOf(read)).toEqual(notesOf(written))
      const tuplets = measures.flat().flatMap((beat) => (isTuplet(beat) ? beat.length : []))
      expect(tupletsOf(read)).toEqual(meter.beatType === 8 ? [] : tuplets)
      const [part] = partsOf(read)
      expect(part && measuresOf(part)).toHaveLength(measures.length)
      const shown = JSON.stringify(part && measuresOf(part)[0])
      expect(shown).toContain(`"name":"beats","attributes":{},"children":[],"text":"${meter.beats}"`)
    }),
    { numRuns: 100, seed: 3 },
  )
})
