import { expect, test } from 'vitest'
import { child, type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { miniScore, note, rest } from '../../testing/mini-score.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { readMidiFile } from './midi-file.ts'
import { completeImport, prepareMidi, withoutLayout } from './import.ts'
import { midiBytes, midiNote, type TimedMessage } from '../../testing/midi-bytes.ts'

const nothing = { unisons: new Map(), title: undefined, copyright: undefined, tempos: [] }

/** Converts velocities as the importer does: a share of 90, as a percentage with two decimals. */
const percent = (velocity: number | undefined) => `dynamics="${((velocity as number) / 0.9).toFixed(2)}"`

const velocitiesOf = (midi: Uint8Array) => readMidiFile(midi).notes.map(({ velocity }) => velocity)

const measuresIn = (score: ScoreDocument) => partsOf(score).flatMap(measuresOf)
const namesIn = (element: Element | undefined) => element?.children.map(({ name }) => name)
const textAt = (element: Element, ...path: string[]) =>
  path.reduce<Element | undefined>((parent, name) => parent && child(parent, name), element)?.text

const metronome = (tempo: number) =>
  `<direction><direction-type><metronome><beat-unit>quarter</beat-unit><per-minute>${tempo}</per-minute></metronome></direction-type><sound tempo="${tempo}"/></direction>`

test('passes a file without unisons to the importer unchanged', () => {
  const bytes = midiBytes([[...midiNote(0, 60), ...midiNote(0, 64)]])
  expect(prepareMidi(bytes)).toMatchObject({ midi: bytes, remainder: { unisons: new Map() } })
})

test('restores the number and velocity of notes in unison, as notes that sound but are not printed', () => {
  const together = [...midiNote(0, 60, { velocity: 33 }), ...midiNote(0, 60, { velocity: 33 })]
  const bytes = midiBytes([[...together, ...midiNote(480, 60, { velocity: 33 }), ...midiNote(960, 62)]])
  const { midi, remainder } = prepareMidi(bytes)
  expect(velocitiesOf(bytes)).toEqual([33, 33, 33, 80])
  const [unison, , single, other] = velocitiesOf(midi)
  expect(unison).not.toBe(single)

  const imported = miniScore([
    `<attributes><divisions>1</divisions></attributes>${note('C4', 1, '', percent(unison))}${note('C4', 1, '', percent(single))}${note('D4', 2, '', percent(other))}`,
  ])
  const score = completeImport(imported, remainder)
  const [measure] = measuresIn(score)
  const notes = measure?.children.filter(({ name }) => name === 'note')
  expect(notes?.map(({ attributes }) => [attributes.dynamics, attributes['print-object']])).toEqual([
    ['36.67', undefined],
    ['36.67', 'no'],
    ['36.67', undefined],
    ['88.89', undefined],
  ])
  expect(timelineOf(score).parts[0]?.notes.map(({ key, velocity }) => [key, velocity])).toEqual([
    [60, 33],
    [60, 33],
    [60, 33],
    [62, 80],
  ])
})

test('strikes a tied unison once', () => {
  const { midi, remainder } = prepareMidi(midiBytes([[...midiNote(0, 60), ...midiNote(0, 60)]]))
  const dynamics = percent(velocitiesOf(midi)[0])
  const imported = miniScore([
    `<attributes><divisions>1</divisions></attributes>${note('C4', 4, '<tie type="start"/>', dynamics)}`,
    note('C4', 4, '<tie type="stop"/>', dynamics),
  ])
  expect(timelineOf(completeImport(imported, remainder)).parts[0]?.notes).toHaveLength(2)
})

test('encodes any velocities and any number of unisons, and keeps louder notes louder', () => {
  const messages: TimedMessage[] = []
  for (let velocity = 1; velocity <= 127; velocity++) {
    for (let count = 0; count <= velocity % 20; count++)
      messages.push(...midiNote(velocity * 480, 60, { velocity }))
  }
  const { midi, remainder } = prepareMidi(midiBytes([messages]))
  const codes = velocitiesOf(midi)
  expect(codes).toEqual(codes.toSorted((a, b) => a - b))
  for (const [index, velocity] of velocitiesOf(midiBytes([messages])).entries()) {
    const { velocity: original = 0, count } = remainder.unisons.get(codes[index] as number) ?? {}
    expect(original - velocity).toBeGreaterThanOrEqual(0)
    expect(original - velocity).toBeLessThan(16)
    expect(count).toBe(Math.min(15, (velocity % 20) + 1))
  }
})

test('replaces the rounded tempos of the importer with those of the file, and prints the ones that last', () => {
  const measure = (content = '') => `<attributes><divisions>2</divisions></attributes>${content}${rest(8)}`
  const imported = miniScore([measure(metronome(74)), measure(), measure(metronome(80))])
  const tempos = [
    { quarter: 0, quartersPerMinute: 74.4 },
    { quarter: 5, quartersPerMinute: 80.25 },
  ]
  const score = completeImport(imported, { ...nothing, tempos })
  expect(measuresIn(score).map(namesIn)).toEqual([
    ['attributes', 'direction', 'note'],
    ['attributes', 'direction', 'note'],
    ['attributes', 'note'],
  ])
  expect(timelineOf(score).durationSeconds).toBeCloseTo((5 * 60) / 74.4 + (7 * 60) / 80.25, 3)
})

test('plays a short tempo without printing it', () => {
  const imported = miniScore([`<attributes><divisions>1</divisions></attributes>${metronome(60)}${rest(4)}`])
  const tempos = [60, 61.5, 60.2].map((quartersPerMinute, quarter) => ({ quarter, quartersPerMinute }))
  const [measure] = measuresIn(completeImport(imported, { ...nothing, tempos }))
  expect(namesIn(measure)).toEqual(['attributes', 'direction', 'sound', 'direction', 'note'])
})

test('keeps the tempos of the importer if it has found its own beat', () => {
  const imported = miniScore([`<attributes><divisions>1</divisions></attributes>${metronome(97)}${rest(4)}`])
  const score = completeImport(imported, { ...nothing, tempos: [{ quarter: 0, quartersPerMinute: 120 }] })
  expect(score.root.children.at(-1)).toEqual(imported.root.children.at(-1))
})

test('names parts after their tracks and takes over title and copyright', () => {
  const instruments =
    '<score-instrument id="P1-I1"><instrument-name>Violins (section)</instrument-name></score-instrument>'
  const imported = miniScore({
    name: 'Violins (section), Violin 1',
    scorePart: instruments,
    measures: [rest(4)],
  })
  const identification = { name: 'identification', attributes: {}, children: [], text: '' }
  const identified = { root: { ...imported.root, children: [identification, ...imported.root.children] } }
  const { root } = completeImport(identified, { ...nothing, title: 'Trio', copyright: '© 2026' })
  expect(textAt(root, 'part-list', 'score-part', 'part-name')).toBe('Violin 1')
  expect(textAt(root, 'work', 'work-title')).toBe('Trio')
  expect(textAt(root, 'identification', 'rights')).toBe('© 2026')
  expect(root.children[0]?.name).toBe('work')
})

test('removes the layout that the importer has added, and nothing else', () => {
  const xml = `<defaults>\n  <scaling/>\n  </defaults>\n<measure number="1" width="353.92">\n  <print>\n    <x/>\n    </print>\n  <note default-x="82.98" default-y="-20.00" dynamics="50.00">\n</note></measure>`
  expect(withoutLayout(xml)).toBe('\n<measure number="1">\n<note dynamics="50.00">\n</note></measure>')
})
