import { describe, expect, test } from 'vitest'
import { writeMidi } from '../formats/midi/write.ts'
import { chordNote, miniTimeline, note, notesOf } from '../testing/mini-score.ts'
import { parseMidi } from '../testing/parse-midi.ts'

const slide = (type: string, attributes = '') =>
  `<notations><slide type="${type}" number="1" ${attributes}/></notations>`
const up = (to: string, attributes = '') =>
  note('C4', 4, slide('start', attributes)) + note(to, 4, slide('stop'))

/** `from-to semitones` of the slide of the first note, in quarter notes. */
function slideOf(content: string): string {
  const { parts, ticksPerQuarter } = miniTimeline([content])
  const found = parts[0]?.notes[0]?.slide
  if (found === undefined) return 'none'
  return `${found.startTick / ticksPerQuarter}-${found.endTick / ticksPerQuarter} ${found.semitones}`
}

/** The bytes of the events of a kind in the MIDI file of a score: status, then data. */
function eventsOf(content: string, status: number): number[][] {
  const bytes = [...writeMidi(miniTimeline([content]))]
  return bytes.flatMap((byte, index) => (byte === status ? [bytes.slice(index + 1, index + 3)] : []))
}

describe('a slide', () => {
  test('moves the pitch between a quarter and three quarters of its note', () => {
    expect(slideOf(up('E4'))).toBe('1-3 4')
    expect(slideOf(up('A3'))).toBe('1-3 -3')
    expect(notesOf(miniTimeline([up('E4')]))).toEqual(['60@0-4', '64@4-8'])
  })

  test('moves between the beats that the score gives', () => {
    expect(slideOf(up('E4', 'first-beat="0" last-beat="50"'))).toBe('0-2 4')
  })

  test('bends the channel in MIDI, whose range reaches the last pitch, and back for the next note', () => {
    const bends = eventsOf(up('E4'), 0xe0).map(([low = 0, high = 0]) => low + 128 * high)
    expect(bends).toHaveLength(65)
    expect(bends[31]).toBe(12_288)
    expect(bends.slice(-2)).toEqual([16_383, 8192])
    expect(eventsOf(up('E4'), 0xb0)).toContainEqual([6, 4])
    expect(eventsOf(up('D4'), 0xb0)).not.toContainEqual([6, 2])
    expect(parseMidi(writeMidi(miniTimeline([up('E4')]))).faults).toEqual([])
  })

  test('is played in semitones while another note of the part sounds', () => {
    const chord = note('C4', 4, slide('start')) + chordNote('G3', 4) + note('F4', 4, slide('stop'))
    expect(notesOf(miniTimeline([chord]))).toEqual(
      ['55@0-4', '60@0-1', '61@1-1.5', '62@1.5-2', '63@2-2.5', '64@2.5-4', '65@4-8'].toSorted(),
    )
  })
})
