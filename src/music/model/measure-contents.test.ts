import { describe, expect, it } from 'vitest'
import { chordNote, graceNote, miniScore, note, rest } from '../testing/mini-score.ts'
import { scoreContentsOf } from './measure-contents.ts'

const measureOf = (...parts: string[]) => {
  const contents = scoreContentsOf(miniScore(...parts.map((part) => [part])))
  return contents.measures[0] ?? expect.fail('the score has no measure')
}
/** The items of the first voice of the first staff of the first part. */
const itemsOf = (measure: string) => measureOf(measure).parts[0]?.[0]?.voices[0]
const typed = (value: string) => `<type>${value}</type>`
const direction = (type: string, more = '') =>
  `<direction><direction-type>${type}</direction-type>${more}</direction>`
const c4 = { type: 'notes', value: 'quarter', pitches: [{ step: 'C', alter: 0, octave: 4 }] }

describe('the contents of a measure', () => {
  it('are its notes, chords and rests in the order of time', () => {
    expect(
      itemsOf(
        note('C4', 1, typed('quarter')) +
          chordNote('Eb4', 1, typed('quarter')) +
          graceNote('D4') +
          note('F#4', 1.5, `${typed('quarter')}<dot/>`) +
          rest(0.5, typed('eighth')),
      ),
    ).toEqual([
      { ...c4, pitches: [...c4.pitches, { step: 'E', alter: -1, octave: 4 }] },
      { type: 'notes', value: 'eighth', isGrace: true, pitches: [{ step: 'D', alter: 0, octave: 4 }] },
      { type: 'notes', value: 'quarter', dots: 1, pitches: [{ step: 'F', alter: 1, octave: 4 }] },
      { type: 'rest', value: 'eighth' },
    ])
  })

  it('say which notes are held, which begin a tuplet, and what is sung', () => {
    const triplet =
      '<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>'
    const lyric = '<lyric><syllabic>begin</syllabic><text>Al</text></lyric><lyric><text>Lob</text></lyric>'
    expect(
      itemsOf(
        note('C4', 1, `<tie type="stop"/>${typed('quarter')}`) +
          note('C4', 1, `${typed('quarter')}${triplet}<notations><tuplet type="start"/></notations>`) +
          note('C4', 1, typed('quarter') + triplet + lyric),
      ),
    ).toEqual([
      { ...c4, isHeld: true },
      { type: 'tuplet', notes: 3, inTimeOf: 2 },
      c4,
      { ...c4, lyrics: ['Al-', 'Lob'] },
    ])
  })

  it('have marks before the note that they stand at', () => {
    expect(
      itemsOf(
        '<harmony><root><root-step>G</root-step></root><kind>dominant</kind></harmony>' +
          direction('<dynamics><mf/></dynamics>') +
          note('C4', 1, typed('quarter')) +
          direction('<wedge type="crescendo"/>') +
          direction('<words>dolce</words>') +
          note('C4', 1, typed('quarter')),
      ),
    ).toEqual([
      { type: 'chordSymbol', text: 'G7' },
      { type: 'dynamics', mark: 'mf' },
      c4,
      { type: 'wedge', change: 'crescendo' },
      { type: 'words', text: 'dolce' },
      c4,
    ])
  })

  it('are apart by staff and by voice', () => {
    const placed = (voice: string, staff: number) =>
      `<voice>${voice}</voice>${typed('whole')}<staff>${staff}</staff>`
    const back = '<backup><duration>4</duration></backup>'
    const { parts } = measureOf(
      note('C5', 4, placed('1', 1)) +
        back +
        note('E4', 4, placed('2', 1)) +
        back +
        note('C3', 4, placed('5', 2)),
    )
    const steps = parts[0]?.map(({ staff, voices }) => [
      staff,
      ...voices.map((items) =>
        items.map((item) => (item.type === 'notes' ? item.pitches[0]?.step : item.type)),
      ),
    ])
    expect(steps).toEqual([
      [1, ['C'], ['E']],
      [2, ['C']],
    ])
  })

  it('leave out hidden and cue notes', () => {
    expect(itemsOf(note('C4', 1, '<cue/>') + note('D4', 1, '', 'print-object="no"') + rest(4))).toEqual([
      { type: 'rest', isWholeMeasure: true },
    ])
  })
})

it('signs that hold for all parts are named once, and keys for each part', () => {
  const key = (fifths: number) => `<key><fifths>${fifths}</fifths><mode>minor</mode></key>`
  const attributes = (fifths: number) =>
    `<attributes>${key(fifths)}<time><beats>3</beats><beat-type>4</beat-type></time></attributes>`
  const tempo = direction(
    '<words>Allegro</words><metronome><beat-unit>quarter</beat-unit><beat-unit-dot/><per-minute>92</per-minute></metronome>',
  )
  const bars =
    '<barline location="left"><ending number="1" type="start"/><repeat direction="forward"/></barline>' +
    '<barline location="right"><repeat direction="backward"/></barline>'
  const { signs, parts } = measureOf(
    attributes(-3) + tempo + direction('<rehearsal>A</rehearsal>') + rest(3) + bars,
    attributes(-1) + rest(3) + bars,
  )
  expect(signs).toEqual([
    { type: 'time', meter: '3/4' },
    { type: 'tempo', text: 'Allegro', value: 'quarter', dots: 1, perMinute: '92' },
    { type: 'rehearsal', text: 'A' },
    { type: 'ending', text: '1' },
    { type: 'repeatStart' },
    { type: 'repeatEnd' },
  ])
  expect(parts.map(([staff]) => staff?.voices[0]?.[0])).toEqual([
    { type: 'key', fifths: -3, mode: 'minor' },
    { type: 'key', fifths: -1, mode: 'minor' },
  ])
})

it('parts have their names and the number of their staves', () => {
  const score = miniScore(
    { name: 'Flute', measures: [note('C4', 4)] },
    { name: 'Piano', measures: [note('C4', 4, '<staff>2</staff>')] },
  )
  expect(scoreContentsOf(score).parts.map(({ name, staves }) => [name, staves])).toEqual([
    ['Flute', 1],
    ['Piano', 2],
  ])
})
