import { describe, expect, test } from 'vitest'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { type MiniPart, miniTimeline, note, notesOf, rest } from '../testing/mini-score.ts'
import { timelineOf } from './timeline.ts'
import { keyInRange } from './pitch.ts'

const transpose = (chromatic: number, more = '', attributes = '') =>
  `<attributes><transpose ${attributes}><diatonic>0</diatonic><chromatic>${chromatic}</chromatic>${more}</transpose></attributes>`

function keys(...measures: string[]): number[] {
  return miniTimeline(measures).parts[0]?.notes.map(({ key }) => key) ?? []
}

describe('transposition', () => {
  test('turns the written pitch into the sounding one', () => {
    expect(keys(transpose(-2) + note('D4', 4))).toEqual([60])
  })

  test('adds octaves, and a doubling an octave below or above', () => {
    expect(keys(transpose(0, '<octave-change>-1</octave-change>') + note('C4', 4))).toEqual([48])
    expect(keys(transpose(0, '<double/>') + note('C4', 4))).toEqual([48, 60])
    expect(keys(transpose(0, '<double above="yes"/>') + note('C4', 4))).toEqual([60, 72])
  })

  test('changes within a part, and back', () => {
    expect(
      keys(transpose(-2) + note('C4', 2) + transpose(-9) + note('C4', 2), transpose(0) + note('C4', 4)),
    ).toEqual([58, 51, 60])
  })

  test('of one staff does not affect the others', () => {
    const backup = '<backup><duration>4</duration></backup>'
    const lower = note('C4', 4, '<voice>5</voice><staff>2</staff>')
    expect(keys(transpose(-12, '', 'number="2"') + note('C4', 4) + backup + lower)).toEqual([48, 60])
  })

  test('of a score in concert pitch is limited to octaves', () => {
    const xml = (
      defaults: string,
    ) => `<score-partwise>${defaults}<part-list><score-part id="P1"><part-name/></score-part>
      </part-list><part id="P1"><measure>${transpose(-2, '<octave-change>-1</octave-change>')}${note('C4', 4)}</measure></part></score-partwise>`
    const keyOf = (defaults: string) =>
      timelineOf(readMusicXml(Buffer.from(xml(defaults)))).parts[0]?.notes[0]?.key
    expect(keyOf('')).toBe(46)
    expect(keyOf('<defaults><concert-score/></defaults>')).toBe(48)
  })

  test('ignores an octave shift, which is only displayed', () => {
    const shift = (type: string) =>
      `<direction><direction-type><octave-shift type="${type}"/></direction-type></direction>`
    expect(keys(shift('down') + note('C5', 4) + shift('stop'))).toEqual([72])
  })
})

describe('pitch', () => {
  test('between the keys is the nearest key and a bend', () => {
    const quarterSharp = note('C#4', 1).replace('<alter>1', '<alter>0.5')
    const threeQuarterFlat = note('Bb4', 1).replace('<alter>-1', '<alter>-1.5')
    const timeline = miniTimeline([quarterSharp + threeQuarterFlat])
    expect(timeline.parts[0]?.notes.map(({ key, bend }) => key + bend)).toEqual([60.5, 69.5])
  })

  test('outside of the MIDI range is moved by octaves', () => {
    expect([-13, -1, 0, 127, 128, 140].map(keyInRange)).toEqual([11, 11, 0, 127, 116, 116])
  })
})

describe('percussion', () => {
  const unpitched = (line: string, octave: number, instrument = '') =>
    `<note><unpitched><display-step>${line}</display-step><display-octave>${octave}</display-octave></unpitched>
     <duration>1</duration>${instrument === '' ? '' : `<instrument id="${instrument}"/>`}</note>`
  const kit: MiniPart = {
    name: 'Drums',
    scorePart: `<score-instrument id="I1"><instrument-name>Bass Drum</instrument-name></score-instrument>
      <score-instrument id="I2"><instrument-name>Triangle</instrument-name></score-instrument>
      <midi-instrument id="I1"><midi-channel>10</midi-channel><midi-unpitched>36</midi-unpitched></midi-instrument>`,
    measures: [unpitched('C', 5, 'I1') + unpitched('C', 5, 'I2') + note('C4', 1, '<instrument id="I1"/>')],
  }

  test('has the key of its instrument, from midi-unpitched or from the instrument table', () => {
    const part = miniTimeline(kit).parts[0]
    expect(part?.notes.map(({ key }) => key)).toEqual([35, 81, 35])
    expect(part?.percussion).toBe(true)
  })

  test('of a drum set without MIDI instruments is read by its place on the staff', () => {
    const set = {
      name: 'Drum Set',
      measures: [unpitched('F', 4) + unpitched('C', 5) + unpitched('G', 5) + unpitched('C', 2)],
    }
    expect(miniTimeline(set).parts[0]?.notes.map(({ key }) => key)).toEqual([36, 38, 42, 38])
  })

  test('of several drums without MIDI keys is read by place and notehead from the instrument table', () => {
    const keysOf = (name: string, ...notes: string[]) =>
      miniTimeline({ name, measures: [notes.join('')] }).parts[0]?.notes.map(({ key }) => key)
    const low = unpitched('E', 4)
    const high = unpitched('G', 4)
    const headed = (one: string, notehead: string) =>
      one.replace('</note>', `<notehead>${notehead}</notehead></note>`)
    expect(keysOf('Bongos', low, high)).toEqual([61, 60])
    expect(keysOf('Congas', low, high, headed(high, 'x'))).toEqual([64, 63, 62])
    expect(keysOf('Timbales', low, high)).toEqual([66, 65])
    expect(keysOf('Temple Blocks', unpitched('F', 4), unpitched('E', 5))).toEqual([77, 76])
    // A place that the table lacks, and a note without one, mean the nearest drum.
    expect(
      keysOf(
        'Bongos',
        unpitched('D', 4),
        unpitched('E', 5),
        '<note><unpitched/><duration>1</duration></note>',
      ),
    ).toEqual([61, 60, 60])
    const snare = unpitched('C', 5)
    const hiHat = unpitched('G', 5)
    expect(
      keysOf('Drum Set', headed(snare, 'x'), headed(hiHat, 'x'), headed(hiHat, 'circle-x'), low, high),
    ).toEqual([37, 42, 46, 35, 41])
    // The brush kit has no floor tom of its own.
    expect(keysOf('Brush Drumset', headed(snare, 'diamond'), high)).toEqual([40, 41])
  })

  test('in a melodic part does not make the part percussion', () => {
    const part = miniTimeline([unpitched('C', 5) + note('C4', 1)]).parts[0]
    expect(part?.percussion).toBe(false)
    expect(part?.notes.map(({ percussion }) => percussion)).toEqual([true, false])
  })
})

describe('the sound of a part', () => {
  const piece = [note('C4', 4)]

  test('is that of its MIDI instrument', () => {
    const instruments = `<score-instrument id="I1"><instrument-name>Fl.</instrument-name></score-instrument>
      <midi-instrument id="I1"><midi-bank>130</midi-bank><midi-program>74</midi-program><volume>50</volume><pan>-90</pan></midi-instrument>`
    const part = miniTimeline({ scorePart: instruments, measures: piece }).parts[0]
    expect(part?.programs).toEqual([{ tick: 0, program: 73, bank: 129 }])
    expect(part?.controls).toEqual([
      { tick: 0, controller: 7, value: 64 },
      { tick: 0, controller: 10, value: 0 },
    ])
  })

  test('comes from the instrument table by sound or name, or is a piano', () => {
    const sound = `<score-instrument id="I1"><instrument-name>x</instrument-name><instrument-sound>strings.viola</instrument-sound></score-instrument>`
    const programOf = (part: MiniPart) => miniTimeline(part).parts[0]?.programs[0]?.program
    expect(programOf({ name: 'x', scorePart: sound, measures: piece })).toBe(41)
    expect(programOf({ name: 'Oboe', measures: piece })).toBe(68)
    expect(programOf({ name: 'MusicXML Part', measures: piece })).toBe(0)
  })

  test('changes with the instrument of the notes, and with a MIDI instrument in a sound', () => {
    const instruments = `<score-instrument id="I1"><instrument-name>Flute</instrument-name></score-instrument>
      <score-instrument id="I2"><instrument-name>Piccolo</instrument-name></score-instrument>`
    const by = (id: string) => `<instrument id="${id}"/>`
    const change = '<sound><midi-instrument id="I1"><midi-program>41</midi-program></midi-instrument></sound>'
    const timeline = miniTimeline({
      scorePart: instruments,
      measures: [
        note('C4', 4, by('I1')),
        note('C4', 4, by('I2')),
        rest(1) + change + note('C4', 3, by('I1')),
      ],
    })
    expect(
      timeline.parts[0]?.programs.map(({ tick, program }) => [tick / timeline.ticksPerQuarter, program]),
    ).toEqual([
      [0, 73],
      [4, 72],
      [9, 40],
    ])
  })

  test('is named after the part, or its instrument, or its position', () => {
    const names = (part: MiniPart) => miniTimeline(part).parts.map(({ name }) => name)
    expect(names({ name: 'Violin\n  I', measures: piece })).toEqual(['Violin I'])
    const instruments =
      '<score-instrument id="I1"><instrument-name>Flute</instrument-name></score-instrument>'
    expect(names({ name: '', scorePart: instruments, measures: piece })).toEqual(['Flute'])
    expect(names({ name: '', measures: piece })).toEqual(['Part 1'])
  })
})

test('a part that is missing in the part list uses the entry at its position', () => {
  const xml = `<score-partwise><part-list><score-part id="P1"><part-name>Oboe</part-name></score-part></part-list>
    <part><measure>${note('C4', 4)}</measure></part></score-partwise>`
  const timeline = timelineOf(readMusicXml(Buffer.from(xml)))
  expect(timeline.parts[0]?.name).toBe('Oboe')
  expect(notesOf(timeline)).toEqual(['60@0-4'])
})
