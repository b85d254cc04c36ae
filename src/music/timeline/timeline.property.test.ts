import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { writeMidi } from '../formats/midi/write.ts'
import { chordNote, direction, graceNote, miniTimeline, note, rest, words } from '../testing/mini-score.ts'
import { parseMidi } from '../testing/parse-midi.ts'
import { faultsOf } from '../testing/timeline-faults.ts'
import type { Timeline } from './played.ts'

/** Malformed values that some programs write. */
const nonsense = [
  '',
  'constructor',
  '-1',
  '0',
  '1',
  '2.5',
  '50',
  '1e308',
  '-1e308',
  'NaN',
  'x',
  '1,2',
  '2, 1',
  '999999999',
]
const value = fc.constantFrom(...nonsense)
const pitch = fc.constantFrom('C4', 'C#4', 'E4', 'Bb3', 'G9')
const length = fc.constantFrom(0, 1, 2, 3, 7)
const voice = fc.constantFrom('', '<voice>2</voice><staff>2</staff>')
const tie = fc.constantFrom(
  '',
  '<tie type="start"/>',
  '<tie type="stop"/>',
  '<tie type="start"/><tie type="stop"/>',
)
const sign = fc.constantFrom(
  '',
  '<notations><fermata/><arpeggiate/><articulations><staccato/></articulations></notations>',
  '<notations><tied type="let-ring"/></notations>',
  '<notations><fermata>constructor</fermata><articulations><constructor/></articulations></notations>',
  '<lyric number="2"><text>a</text></lyric>',
  '<notations><ornaments><trill-mark beats="-1"/><wavy-line type="start"/></ornaments></notations>',
  '<notations><ornaments><wavy-line type="stop"/><turn second-beat="999"/></ornaments></notations>',
  '<notations><ornaments><tremolo type="start">9</tremolo></ornaments><slide type="start"/></notations>',
  '<notations><ornaments><tremolo type="stop">x</tremolo></ornaments><slide type="stop"/></notations>',
  '<notations><glissando type="start"/><glissando type="stop"/></notations>',
)

const element = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(pitch, length, tie, voice, sign).map(([p, n, ...more]) => note(p, n, more.join(''))),
  },
  fc.tuple(pitch, length, tie).map(([p, n, more]) => chordNote(p, n, more)),
  fc
    .tuple(pitch, fc.constantFrom('steal-time-previous', 'steal-time-following', 'make-time'), value, tie)
    .map(([p, name, text, more]) => graceNote(p, `${name}="${text}"`, more)),
  fc
    .tuple(pitch, length, value, value)
    .map(([p, n, a, b]) => note(p, n, '', `attack="${a}" release="${b}" dynamics="${a}"`)),
  length.map((n) => rest(n)),
  length.map((n) => `<backup><duration>${n}</duration></backup>`),
  length.map((n) => `<forward><duration>${n}</duration></forward>`),
  fc.constantFrom(1, 3, 7, 11, 64).map((n) => `<attributes><divisions>${n}</divisions></attributes>`),
  value.map((text) => `<attributes><transpose><chromatic>${text}</chromatic></transpose></attributes>`),
  fc
    .tuple(value, value)
    .map(([a, b]) => `<attributes><time><beats>${a}</beats><beat-type>${b}</beat-type></time></attributes>`),
  value.map(
    (text) =>
      `<attributes><measure-style><measure-repeat type="start">${text}</measure-repeat></measure-style></attributes>`,
  ),
  fc
    .constantFrom('rit.', 'a tempo', 'Presto', 'D.C. al Fine', 'D.S. al Coda', 'To Coda', 'Fine')
    .map((text) => words(text)),
  fc
    .constantFrom(
      '<segno/>',
      '<coda/>',
      '<rehearsal>A</rehearsal>',
      '<dynamics><sfp/></dynamics>',
      '<dynamics><constructor/></dynamics>',
    )
    .map((type) => direction(type)),
  fc
    .tuple(fc.constantFrom('crescendo', 'diminuendo', 'stop'), value)
    .map(([type, n]) => direction(`<wedge type="${type}" number="${n}"/>`)),
  fc
    .tuple(value, value)
    .map(([unit, n]) =>
      direction(`<metronome><beat-unit>${unit}</beat-unit><per-minute>${n}</per-minute></metronome>`),
    ),
  fc
    .tuple(value, value, fc.constantFrom('major', 'none', 'constructor'))
    .map(
      ([a, b, kind]) =>
        `<harmony><root><root-step>C</root-step><root-alter>${a}</root-alter></root><kind>${kind}</kind><inversion>${b}</inversion><degree><degree-value>${b}</degree-value><degree-alter>${a}</degree-alter><degree-type>add</degree-type></degree><offset>${a}</offset></harmony>`,
    ),
  fc
    .tuple(value, value)
    .map(([a, b]) => `<sound><swing><first>${a}</first><second>${b}</second></swing></sound>`),
  fc.constantFrom('start', 'stop', 'change', 'sostenuto').map((type) => direction(`<pedal type="${type}"/>`)),
  fc
    .tuple(
      fc.constantFrom('segno', 'dalsegno', 'coda', 'tocoda', 'fine', 'time-only', 'dynamics', 'damper-pedal'),
      value,
    )
    .map(([name, text]) => `<sound ${name}="${text}" dacapo="yes"><offset>${text}</offset></sound>`),
)

const barline = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '<repeat direction="forward"/>',
    '<repeat direction="backward"/>',
    '<repeat direction="backward" times="7"/>',
  ),
  fc
    .tuple(
      fc.constantFrom('start', 'stop', 'discontinue'),
      value,
      fc.constantFrom('', '<repeat direction="backward"/>'),
    )
    .map(([type, number, repeat]) => `<ending number="${number}" type="${type}"/>${repeat}`),
)

const measure = fc
  .tuple(barline, fc.array(element, { maxLength: 8 }), barline)
  .map(([left, content, right]) => `<barline>${left}</barline>${content.join('')}<barline>${right}</barline>`)
const score = fc.array(fc.array(measure, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })

test('any score has a consistent timeline and a matching MIDI file, or is refused', () => {
  let played = 0
  fc.assert(
    fc.property(score, (parts) => {
      let timeline: Timeline
      try {
        timeline = miniTimeline(...parts)
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
        expect((error as Failure).code).toBe('INVALID_MUSICXML')
        return
      }
      played += 1
      expect(faultsOf(timeline)).toEqual([])
      const midi = parseMidi(writeMidi(timeline))
      expect(midi.faults).toEqual([])
      expect(midi.notes.length).toBe(timeline.parts.reduce((sum, { notes }) => sum + notes.length, 0))
    }),
    { numRuns: 750, seed: 1 },
  )
  expect(played).toBeGreaterThan(375)
})
