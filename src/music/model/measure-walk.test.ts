import { describe, expect, it } from 'vitest'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { childText, type Element, measuresOf, partsOf } from './document.ts'
import { leaf, node } from './element.ts'
import { isSoundingNote, walkMeasure } from './measure-walk.ts'

function measure(inside: string): Element {
  const xml = `<score-partwise><part-list><score-part id="P"><part-name/></score-part></part-list>
    <part id="P"><measure number="1">${inside}</measure></part></score-partwise>`
  const [part] = partsOf(readMusicXml(Buffer.from(xml)))
  return (part === undefined ? [] : measuresOf(part))[0] as Element
}

const note = (step: string, duration: number, before = '') =>
  `<note>${before}<pitch><step>${step}</step><octave>4</octave></pitch><duration>${duration}</duration></note>`

/** `step onset duration` of each note. */
function walk(inside: string, divisions = 1) {
  const notes: string[] = []
  const end = walkMeasure(measure(inside), divisions, (element, onset, duration) => {
    if (element.name !== 'note') return
    const pitch = element.children.find(({ name }) => name === 'pitch')
    notes.push(`${pitch === undefined ? 'rest' : childText(pitch, 'step')} ${onset} ${duration}`)
  })
  return { notes, ...end }
}

describe('walking a measure', () => {
  it('counts in quarter notes with the divisions of the measure before', () => {
    expect(walk(note('C', 2) + note('D', 1), 2)).toEqual({
      notes: ['C 0 1', 'D 1 0.5'],
      length: 1.5,
      divisions: 2,
    })
  })

  it('applies new divisions from their place on', () => {
    const change = '<attributes><divisions>4</divisions></attributes>'
    const { notes, length, divisions } = walk(note('C', 1) + change + note('D', 4) + note('E', 2))
    expect(notes).toEqual(['C 0 1', 'D 1 1', 'E 2 0.5'])
    expect({ length, divisions }).toEqual({ length: 2.5, divisions: 4 })
  })

  it('starts the notes of a chord together', () => {
    const { notes, length } = walk(
      note('C', 2) + note('E', 2, '<chord/>') + note('G', 3, '<chord/>') + note('D', 1),
    )
    expect(notes).toEqual(['C 0 2', 'E 0 2', 'G 0 3', 'D 2 1'])
    expect(length).toBe(3)
  })

  it('follows backup and forward, but not back over the bar line', () => {
    const backup = '<backup><duration>2</duration></backup>'
    const forth = '<forward><duration>1</duration></forward>'
    const far = '<backup><duration>99</duration></backup>'
    const { notes, length } = walk(note('C', 2) + backup + forth + note('D', 1) + far + note('E', 1))
    expect(notes).toEqual(['C 0 2', 'D 1 1', 'E 0 1'])
    expect(length).toBe(2)
  })

  it('gives grace notes and their chords no time', () => {
    const grace = (chord: string) =>
      `<note><grace/>${chord}<pitch><step>F</step><octave>4</octave></pitch></note>`
    const { notes } = walk(note('C', 1) + grace('') + grace('<chord/>') + note('D', 1))
    expect(notes).toEqual(['C 0 1', 'F 1 0', 'F 1 0', 'D 1 1'])
  })

  it('gives equal fractions equal numbers for all divisions', () => {
    const third = walk(note('C', 1) + note('D', 1), 3)
    const same = walk(note('C', 8) + note('D', 8), 24)
    expect(third.notes).toEqual(same.notes)
  })

  it('ignores invalid durations and divisions', () => {
    const unreadable = node('measure', [
      node('attributes', [leaf('divisions', 0)]),
      ...['-3', 'long', 'Infinity', '', '1'].map((duration) => node('note', [leaf('duration', duration)])),
    ])
    const onsets: number[] = []
    const { length } = walkMeasure(unreadable, 2, (_element, onset) => onsets.push(onset))
    expect({ onsets, length }).toEqual({ onsets: [0, 0, 0, 0, 0, 0], length: 0.5 })
  })
})

describe('sounding notes', () => {
  it('are pitched and unpitched notes, including grace notes, but no rests and cue notes', () => {
    const inside = `${note('C', 1)}<note><rest/><duration>1</duration></note>
      <note><unpitched/><duration>1</duration></note>${note('D', 1, '<cue/>')}
      <note><grace/><pitch><step>E</step><octave>4</octave></pitch></note>`
    expect(measure(inside).children.map(isSoundingNote)).toEqual([true, false, true, false, true])
  })
})
