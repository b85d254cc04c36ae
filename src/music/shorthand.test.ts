import { describe, expect, it } from 'vitest'
import { child, childText, type Element, measuresOf, partsOf } from './document.ts'
import { factsOf } from './facts.ts'
import { readMusicXml } from './musicxml-reader.ts'
import { type Shorthand, shorthandToMusicXml } from './shorthand.ts'
import { orderFaults } from './testing/schema-order.ts'

const score = (staff: string | readonly string[], about: Partial<Shorthand> = {}): Shorthand => ({
  title: 'A & B',
  composer: 'Somebody',
  tempo: 90,
  parts: [{ instrument: 'piano', clefs: ['treble'], staves: [staff] }],
  ...about,
})

const read = (shorthand: Shorthand) => readMusicXml(Buffer.from(shorthandToMusicXml(shorthand)))

const measuresIn = (shorthand: Shorthand): Element[] => measuresOf(partsOf(read(shorthand))[0] as Element)

/** The notes of a measure as text: pitch, length in quarters, and the names of what else they have. */
function notesOf(measure: Element | undefined): string[] {
  const notes = measure?.children.filter(({ name }) => name === 'note') ?? []
  return notes.map((note) => {
    const pitch = child(note, 'pitch')
    const named = pitch
      ? `${childText(pitch, 'step')}${childText(pitch, 'alter') ?? ''}${childText(pitch, 'octave')}`
      : '-'
    return `${named} ${Number(childText(note, 'duration')) / 24}`
  })
}

describe('a score in shorthand', () => {
  it('says what it is', () => {
    const document = read(score('c4:4 d e f', { key: -3, arranger: 'Another', subtitle: 'Easy' }))
    expect(orderFaults(document)).toEqual([])
    expect(factsOf(document)).toMatchObject({
      title: 'A & B',
      subtitle: 'Easy',
      composer: 'Somebody',
      arranger: 'Another',
      instruments: ['keyboards.piano'],
      mainTempoQpm: 90,
      mainKeySignature: -3,
    })
  })

  it('keeps octave and length until others are given', () => {
    const [first, second] = measuresIn(score('c4:8 d e5 f g:4 bb4 | f#:2. r:4'))
    expect(notesOf(first)).toEqual(['C4 0.5', 'D4 0.5', 'E5 0.5', 'F5 0.5', 'G5 1', 'B-14 1'])
    expect(notesOf(second)).toEqual(['F14 3', '- 1'])
  })

  it('has chords, triplets and rests for whole measures', () => {
    const [first, second] = measuresIn(score('c4+e+g:2 3{ c:4 d e } | R'))
    expect(notesOf(first)).toEqual([
      'C4 2',
      'E4 2',
      'G4 2',
      ...['C4', 'D4', 'E4'].map((pitch) => `${pitch} ${16 / 24}`),
    ])
    expect(notesOf(second)).toEqual(['- 4'])
  })

  it('prints the accidentals that key and measure ask for', () => {
    const [first, second] = measuresIn(score('f4:4 f# f# f | bb4 b f#5 f', { key: 1 }))
    const accidentals = (measure: Element | undefined) =>
      measure?.children.filter(({ name }) => name === 'note').map((note) => childText(note, 'accidental'))
    expect(accidentals(first)).toEqual(['natural', 'sharp', undefined, 'natural'])
    expect(accidentals(second)).toEqual(['flat', 'natural', undefined, 'natural'])
  })

  it('repeats, begins lines, and changes key and time', () => {
    const xml = shorthandToMusicXml(score('|: c4:1 :| / key:2 time:3/4 d:2. || e:2.'))
    expect(xml).toContain('<repeat direction="forward"/>')
    expect(xml).toContain('<repeat direction="backward"/>')
    expect(xml).toContain('<print new-system="yes"/>')
    expect(xml).toContain(
      '<attributes><key><fifths>2</fifths></key><time><beats>3</beats><beat-type>4</beat-type></time>',
    )
    expect(xml).toContain('light-light')
  })

  it('ties, slurs and lays words under notes that begin', () => {
    const xml = shorthandToMusicXml({
      ...score(''),
      parts: [{ instrument: 'voice', staves: ["c4:2~ c:4 d( | e) f' g> a^"], lyrics: 'Ro- -ses _ red, I say' }],
    })
    expect(xml.match(/<tie type="st/g)).toHaveLength(2)
    expect(xml.match(/<slur /g)).toHaveLength(2)
    expect(
      [...xml.matchAll(/<syllabic>(\w+)<\/syllabic><text>([^<]+)/g)].map(([, kind, text]) => [kind, text]),
    ).toEqual([
      ['begin', 'Ro'],
      ['end', 'ses'],
      ['single', 'red,'],
      ['single', 'I'],
      ['single', 'say'],
    ])
    for (const mark of ['staccato', 'accent', 'fermata']) expect(xml).toContain(`<${mark}`)
  })

  it('is in the key of an instrument that transposes', () => {
    const trumpet = { ...score(''), key: -2, parts: [{ instrument: 'trumpet' as const, staves: ['c5:1'] }] }
    expect(shorthandToMusicXml(trumpet)).toContain('<key><fifths>0</fifths>')
    expect(factsOf(read(trumpet)).mainKeySignature).toBe(-2)
  })

  it.each([
    ['c4:4 d e', 'A & B, piano, measure 1 has 3 quarter notes, not 4'],
    ['c4:1 | c:4 d e f g', 'A & B, piano, measure 2 has 5 quarter notes, not 4'],
    ['h4:1', 'h4:1 is no note'],
    ['c4:3', 'c4:3 is no note'],
  ])('%j is refused', (staff, message) => {
    expect(() => shorthandToMusicXml(score(staff))).toThrow(message)
  })
})
