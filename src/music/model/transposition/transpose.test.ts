import { describe, expect, it } from 'vitest'
import { readMusicXml } from '../../formats/musicxml/read.ts'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { miniScore, type MiniPart } from '../../testing/mini-score.ts'
import { inConcertPitch, inWrittenPitch, transposed, withPitches } from './transpose.ts'
import { child, measuresOf, partsOf, type ScoreDocument } from '../document.ts'

const key = (fifths: number) => `<attributes><key><fifths>${fifths}</fifths></key></attributes>`
const note = (step: string, alter: number, octave: number, more = '') =>
  `<note><pitch><step>${step}</step>${alter ? `<alter>${alter}</alter>` : ''}<octave>${octave}</octave></pitch><duration>1</duration>${more}</note>`
const signed = (name: string) => `<type>quarter</type><accidental>${name}</accidental>`

/** What one measure of a part says, as short words. */
function said(document: ScoreDocument, part = 0, measure = 0): string {
  const found = partsOf(document)[part]
  const children = (found && measuresOf(found)[measure]?.children) ?? []
  const words = children.flatMap((element) => {
    if (element.name === 'attributes')
      return element.children.flatMap(({ name, children: inner }) => {
        if (name === 'key') return `key:${inner.map(({ text }) => text).join(',')}`
        if (name === 'transpose') return `transpose:${inner.map(({ text }) => text).join(',')}`
        return []
      })
    const pitch = child(element, 'pitch')
    const sign = child(element, 'accidental')?.text
    if (pitch) return pitch.children.map(({ text }) => text).join('') + (sign ? `(${sign})` : '')
    if (element.name === 'harmony')
      return element.children.map(({ name, children: inner, text }) =>
        [name, ...inner.map((one) => one.text), text].filter(Boolean).join(' '),
      )
    return []
  })
  return words.join(' ')
}

describe('transposing a score', () => {
  it('moves notes, their accidentals and the key signature', () => {
    const score = miniScore([
      key(0) + note('C', 0, 4) + note('F', 1, 4, signed('sharp')) + note('B', -1, 4, signed('flat')),
    ])
    expect(said(transposed(score, { semitones: 2 }))).toBe('key:2 D4 G14(sharp) C5(natural)')
    expect(said(transposed(score, { semitones: 1 }))).toBe('key:-5 D-14 G4(natural) C-15(flat)')
    expect(said(transposed(score, { semitones: -3 }))).toBe('key:3 A3 D14(sharp) G4(natural)')
  })

  it('writes nothing else than before if the interval is none', () => {
    const score = miniScore([key(9) + note('C', 0, 4)])
    expect(transposed(score, { semitones: 0 })).toBe(score)
  })

  it('spells as the steps of the interval demand', () => {
    const score = miniScore([key(0) + note('C', 0, 4)])
    expect(said(transposed(score, { semitones: 6, steps: 3 }))).toBe('key:6 F14')
    expect(said(transposed(score, { semitones: 6, steps: 4 }))).toBe('key:-6 G-14')
    expect(said(transposed(score, { semitones: 12, steps: 7 }))).toBe('key:0 C5')
  })

  it('respells a key of more than seven accidentals, with its notes', () => {
    const score = miniScore([key(4) + note('E', 0, 4) + note('G', 1, 4)])
    expect(said(transposed(score, { semitones: 4, steps: 2 }))).toBe('key:-4 A-14 C5')
  })

  it('follows changes of the key, and keeps a part that had none readable', () => {
    const changing = miniScore([key(-1) + note('B', -1, 4), key(1) + note('F', 1, 4)])
    const up = transposed(changing, { semitones: 2 })
    expect([said(up, 0, 0), said(up, 0, 1)]).toEqual(['key:1 C5', 'key:3 G14'])
    const without = miniScore([note('C', 0, 4)])
    expect(said(transposed(without, { semitones: 2 }))).toBe('key:2 D4')
  })

  it('needs no triple accidentals, and signs the notes that the other spelling concerns', () => {
    const score = miniScore([key(0) + note('E', 2, 4, signed('double-sharp')) + note('F', 0, 4)])
    const moved = transposed(score, { semitones: 1, steps: 0 })
    expect(said(moved)).toBe('key:7 F24(double-sharp) F14(sharp)')
  })

  it('moves chord symbols, and leaves out the diagrams of the chords before', () => {
    const harmony =
      '<harmony><root><root-step>F</root-step><root-alter>1</root-alter></root><kind>minor</kind><bass><bass-step>A</bass-step></bass><frame><frame-strings>6</frame-strings></frame></harmony>'
    const score = miniScore([key(2) + harmony + note('F', 1, 4)])
    expect(said(transposed(score, { semitones: -1 }))).toBe('key:-5 root F kind minor bass A -1 F4')
  })

  it('leaves percussion alone', () => {
    const drums: MiniPart = {
      name: 'Drumset',
      scorePart:
        '<score-instrument id="P2-I1"><instrument-name>Snare</instrument-name></score-instrument><midi-instrument id="P2-I1"><midi-channel>10</midi-channel><midi-unpitched>39</midi-unpitched></midi-instrument>',
      measures: [
        `${key(0)}<note><unpitched><display-step>C</display-step><display-octave>5</display-octave></unpitched><duration>1</duration></note>`,
      ],
    }
    const score = miniScore([key(0) + note('C', 0, 4)], drums)
    const moved = transposed(score, { semitones: 3 })
    expect(partsOf(moved)[1]).toBe(partsOf(score)[1])
    expect(said(moved)).toBe('key:-3 E-14')
  })

  it('moves the accidental of a trill with the note that it belongs to', () => {
    const trill =
      '<notations><ornaments><trill-mark/><accidental-mark>flat</accidental-mark></ornaments></notations>'
    const moved = transposed(miniScore([key(0) + note('D', 0, 5, trill)]), { semitones: 2 })
    expect(writeMusicXml(moved)).toContain('<accidental-mark>natural</accidental-mark>')
  })

  it('moves rests that have a place, keys of other steps, and frets', () => {
    const odd =
      '<attributes><key><key-step>B</key-step><key-alter>-1</key-alter><key-step>F</key-step><key-alter>1</key-alter></key></attributes>'
    const rest =
      '<note><rest><display-step>B</display-step><display-octave>4</display-octave></rest><duration>1</duration></note>'
    const fretted = (fret: number) =>
      note('E', 0, 4, `<notations><technical><string>1</string><fret>${fret}</fret></technical></notations>`)
    const xml = writeMusicXml(
      transposed(miniScore([odd + rest + fretted(0) + fretted(23)]), { semitones: 2, steps: 1 }),
    )
    expect(xml.replaceAll(/\s*\n\s*/g, '')).toContain(
      '<key><key-step>C</key-step><key-alter>0</key-alter><key-step>G</key-step><key-alter>1</key-alter></key>',
    )
    expect(xml).toMatch(/<display-step>C<\/display-step>\s*<display-octave>5</)
    expect(xml.match(/<fret>\d+/g)).toEqual(['<fret>2'])
    expect(xml.match(/<string>/g)).toHaveLength(1)
  })
})

const clarinet = (chromatic: number, diatonic: number, more = '') =>
  `<attributes><key><fifths>2</fifths></key><transpose><diatonic>${diatonic}</diatonic><chromatic>${chromatic}</chromatic>${more}</transpose></attributes>`

describe('concert pitch', () => {
  it('shows what a transposing instrument sounds, in the key of the others', () => {
    const score = miniScore(
      [clarinet(-2, -1) + note('D', 0, 5) + note('F', 1, 5)],
      [key(0) + note('C', 0, 4)],
    )
    const concert = inConcertPitch(score)
    expect(said(concert)).toBe('key:0 transpose:0,0 C5 E5')
    expect(partsOf(concert)[1]).toBe(partsOf(score)[1])
  })

  it('keeps the octaves of instruments that sound in another one', () => {
    expect(
      said(
        inConcertPitch(miniScore([clarinet(-2, -1, '<octave-change>-1</octave-change>') + note('D', 0, 5)])),
      ),
    ).toBe('key:0 transpose:0,0,-1 C5')
    expect(said(inConcertPitch(miniScore([clarinet(-14, -8) + note('D', 0, 5)])))).toBe(
      'key:0 transpose:0,0,-1 C5',
    )
  })

  it('is transposed like any other score', () => {
    const score = miniScore([clarinet(-2, -1) + note('D', 0, 5)])
    expect(said(withPitches(score, { concertPitch: true, transpose: { semitones: 5 } }))).toBe(
      'key:-1 transpose:0,0 F5',
    )
    expect(said(withPitches(score, { transpose: { semitones: 5 } }))).toBe('key:1 transpose:-1,-2 G5')
  })

  it('is left for a score that is stored in it', () => {
    const xml = (attributes: string, more = '') =>
      readMusicXml(
        Buffer.from(
          `<score-partwise version="4.0"><defaults><concert-score/>${more}</defaults><part-list><score-part id="P1"><part-name>Clarinet</part-name></score-part></part-list><part id="P1"><measure number="1">${attributes}${note('C', 0, 5)}</measure></part></score-partwise>`,
        ),
      )
    const stored = xml(
      '<attributes><key><fifths>0</fifths></key><for-part><part-transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></part-transpose></for-part></attributes>',
    )
    expect(inConcertPitch(stored)).toBe(stored)
    const written = inWrittenPitch(stored)
    expect(said(written)).toBe('key:2 transpose:-1,-2 D5')
    expect(writeMusicXml(written)).not.toContain('concert-score')
    expect(said(inConcertPitch(written))).toBe('key:0 transpose:0,0 C5')
  })
})
