import { readFileSync } from 'node:fs'
import { SoundBankLoader } from 'spessasynth_core'
import { expect, test } from 'vitest'
import { midiBytes, midiNote, midiTempo } from '../../music/testing/midi-bytes.ts'
import { blockFrames } from './sound.ts'
import type { DryBlock } from './sound-ring.ts'
import { packagedSoundFont } from './sound-font.ts'
import { readShare, type Share, startPlaying } from './synthesis.ts'

const bank = SoundBankLoader.fromArrayBuffer(new Uint8Array(readFileSync(packagedSoundFont.path)).buffer)
const blocks = 40

/** 3.7 seconds of piano chords with a pedal, strings, and drums. The open and the closed hi-hat silence each other. */
const midi = midiBytes([
  [midiTempo(0, 120)],
  [
    [0, 0xb0, 64, 127],
    ...[0, 480, 960, 1440].flatMap((tick) =>
      [48, 60, 64, 67].flatMap((key) => midiNote(tick, key + tick / 240)),
    ),
    [1900, 0xb0, 64, 0],
  ],
  [
    [0, 0xc1, 48],
    ...midiNote(0, 55, { channel: 1, length: 1900 }),
    ...midiNote(240, 62, { channel: 1, length: 1400 }),
  ],
  [42, 46, 42, 46, 44, 38].flatMap((key, index) => midiNote(index * 240, key, { channel: 9, length: 120 })),
])

async function play(share: Share, startSeconds = 0, file = readShare(midi, share)) {
  const add = await startPlaying(bank, file, startSeconds)
  const sound = { left: [], right: [], send: [] } as Record<keyof DryBlock, number[]>
  for (let block = 0; block < blocks; block++) {
    const next = {
      left: new Float32Array(blockFrames),
      right: new Float32Array(blockFrames),
      send: new Float32Array(blockFrames),
    }
    add(next)
    for (const side of ['left', 'right', 'send'] as const) sound[side].push(...next[side])
  }
  return sound
}

const largest = (samples: readonly number[]) =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

test('the shares of a piece add up to the piece, sample by sample, and each has a part of it', async () => {
  const whole = await play({ index: 0, count: 1 })
  const first = await play({ index: 0, count: 2 })
  const second = await play({ index: 1, count: 2 })
  for (const side of ['left', 'right', 'send'] as const) {
    expect(largest(whole[side])).toBeGreaterThan(0.01)
    expect(largest(first[side])).toBeGreaterThan(0.005)
    expect(largest(second[side])).toBeGreaterThan(0.005)
    const differences = whole[side].map(
      (sample, index) => sample - (first[side][index] as number) - (second[side][index] as number),
    )
    // 24 bits of a Float32 are 1.4e7 steps: one step of rounding, far below one of 16 bits.
    expect(largest(differences)).toBeLessThan(1e-6)
  }
})

test('a later beginning sounds like the piece there, but for the notes that began before', async () => {
  const whole = await play({ index: 0, count: 1 })
  const later = await play({ index: 0, count: 1 }, 1.5)
  const from = Math.round(1.5 * 44_100)
  const strongest = largest(whole.left.slice(from, from + 22_050))
  expect(largest(later.left.slice(0, 22_050))).toBeGreaterThan(strongest / 4)
  expect(largest(later.left.slice(0, 22_050))).toBeLessThan(strongest * 1.5)
})

test('a file that was played before sounds the same again', async () => {
  const share = { index: 0, count: 2 }
  const file = readShare(midi, share)
  await play(share, 1.5, file)
  expect(await play(share, 0, file)).toEqual(await play(share))
})
