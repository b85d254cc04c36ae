import { expect, test } from 'vitest'
import { miniTimeline, note } from '../testing/mini-score.ts'

/** The General MIDI program of a part, from 0, when its file says this sound and this program, from 1. */
function programOf(sound: string, program: number): number | undefined {
  const scorePart = `<score-instrument id="I"><instrument-name>Part</instrument-name><instrument-sound>${sound}</instrument-sound></score-instrument><midi-instrument id="I"><midi-program>${program}</midi-program></midi-instrument>`
  return miniTimeline({ measures: [note('C4', 4)], scorePart, name: 'Part' }).parts[0]?.programs[0]?.program
}

test('a voice with the program of a wind instrument sounds like a voice', () => {
  const oboe = 69
  expect([52, 53]).toContain(programOf('voice.vocals', oboe))
  expect(programOf('wind.reed.oboe', oboe)).toBe(68)
})

test('a voice with another program keeps it', () => {
  expect(programOf('voice.soprano', 1)).toBe(0)
  expect(programOf('voice.soprano', 54)).toBe(53)
})
