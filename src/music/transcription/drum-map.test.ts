import { expect, test } from 'vitest'
import { findInstrumentByKey } from '../model/instruments/table.ts'
import { drumAt } from './drum-map.ts'

const placeOf = (key: number) => {
  const { step, octave, notehead = 'normal' } = drumAt(key)
  return `${step}${octave} ${notehead}`
}

test('each percussion key of General MIDI has a place and notehead of its own, those of a drum set as in the table', () => {
  const keys = Array.from({ length: 81 - 35 + 1 }, (_, index) => 35 + index)
  expect(new Set(keys.map(placeOf)).size).toBe(keys.length)
  const drums = findInstrumentByKey('unpitched-percussion.drumset-rock')?.drums ?? []
  expect(drums.length).toBeGreaterThan(10)
  for (const { midiNote, display, notehead = 'normal' } of drums)
    expect(placeOf(midiNote)).toBe(`${display} ${notehead}`)
})
