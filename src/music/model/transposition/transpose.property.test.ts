import fc from 'fast-check'
import { expect, test } from 'vitest'
import { miniScore } from '../../testing/mini-score.ts'
import { orderFaults } from '../../testing/schema-order.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { child, childText, type Element, measuresOf, partsOf, type ScoreDocument } from '../document.ts'
import { alterInKey } from './accidentals.ts'
import { inConcertPitch, transposed } from './transpose.ts'

const element = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('C', 'D', 'E', 'F', 'G', 'A', 'B'),
        fc.integer({ min: -2, max: 2 }),
        fc.integer({ min: 3, max: 6 }),
        fc.constantFrom('1', '2'),
      )
      .map(
        ([step, alter, octave, staff]) =>
          `<note><pitch><step>${step}</step>${alter === 0 ? '' : `<alter>${alter}</alter>`}<octave>${octave}</octave></pitch><duration>1</duration><staff>${staff}</staff></note>`,
      ),
  },
  fc
    .tuple(fc.constantFrom('', ' number="1"', ' number="2"'), fc.integer({ min: -7, max: 7 }))
    .map(([staff, fifths]) => `<attributes><key${staff}><fifths>${fifths}</fifths></key></attributes>`),
  fc
    .tuple(fc.constantFrom('C', 'F', 'B'), fc.integer({ min: -1, max: 1 }))
    .map(
      ([step, alter]) =>
        `<harmony><root><root-step>${step}</root-step><root-alter>${alter}</root-alter></root><kind>major</kind></harmony>`,
    ),
)
const transpose = fc
  .constantFrom([0, 0, 0], [-2, -1, 0], [-9, -5, 0], [-14, -8, 0], [3, 2, 0], [-3, -2, -1], [0, 0, -1])
  .map(
    ([semitones, steps, octaves]) =>
      `<transpose><diatonic>${steps}</diatonic><chromatic>${semitones}</chromatic><octave-change>${octaves}</octave-change></transpose>`,
  )
const part = fc
  .tuple(
    fc.option(transpose, { nil: '' }),
    fc.array(fc.array(element, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  )
  .map(([first, measures]) =>
    measures.map(
      (content, index) =>
        (index === 0 ? `<attributes><key><fifths>0</fifths></key>${first}</attributes>` : '') +
        content.join(''),
    ),
  )
const score = fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => miniScore(...parts))
const semitones = fc.integer({ min: -12, max: 12 })

/** The keys that sound, in the order of the parts and of time. Keys beyond those of MIDI come back by octaves. */
const soundsOf = (document: ScoreDocument): number[][] =>
  timelineOf(document, { chords: false }).parts.map(({ notes }) => notes.map(({ key }) => key))

/** How far each note is from the key signature of its staff, in semitones. */
function distances(document: ScoreDocument): { distance: number; alter: number; fifths: number }[] {
  return partsOf(document).flatMap((one) => {
    const keys = new Map<string, number>()
    let every = 0
    return measuresOf(one)
      .flatMap(({ children }) => children)
      .flatMap((inner: Element) => {
        for (const key of inner.name === 'attributes' ? inner.children : []) {
          if (key.name !== 'key') continue
          const fifths = Number(childText(key, 'fifths'))
          if (key.attributes.number) keys.set(key.attributes.number, fifths)
          else {
            every = fifths
            keys.clear()
          }
        }
        const pitch = child(inner, 'pitch')
        if (!pitch) return []
        const alter = Number(childText(pitch, 'alter') ?? 0)
        const fifths = keys.get(childText(inner, 'staff') ?? '1') ?? every
        return [{ distance: alter - alterInKey(childText(pitch, 'step') ?? '', fifths), alter, fifths }]
      })
  })
}

test('a transposed score sounds the interval higher, and every sign stays readable', () => {
  fc.assert(
    fc.property(score, semitones, (before, interval) => {
      const after = transposed(before, { semitones: interval })
      const expected = soundsOf(before).map((keys) => keys.map((key) => key + interval))
      expect(soundsOf(after)).toEqual(expected)
      expect(orderFaults(after)).toEqual([])
      for (const { alter, fifths } of distances(after)) {
        expect(Math.abs(alter)).toBeLessThanOrEqual(2)
        expect(Math.abs(fifths)).toBeLessThanOrEqual(7)
      }
    }),
    { numRuns: 300 },
  )
})

test('concert pitch sounds the same', () => {
  fc.assert(
    fc.property(score, (before) => {
      const after = inConcertPitch(before)
      expect(soundsOf(after)).toEqual(soundsOf(before))
      expect(orderFaults(after)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('a score without double accidentals keeps the distance of each note from the key, so the same notes need signs', () => {
  fc.assert(
    fc.property(score, semitones, (before, interval) => {
      const old = distances(before)
      // A note far from its key can need a triple accidental, which becomes another step.
      fc.pre(old.every(({ distance }) => Math.abs(distance) <= 1))
      expect(distances(transposed(before, { semitones: interval })).map(({ distance }) => distance)).toEqual(
        old.map(({ distance }) => distance),
      )
    }),
    { numRuns: 300 },
  )
})
