import { afterAll, describe, expect, test } from 'vitest'
import type { AudioJob } from './audio.child.ts'
import { createPool } from '../hosts/pool.ts'
import { processHost } from '../hosts/process-host.ts'
import { midiBytes, midiNote, midiTempo } from '../../music/testing/midi-bytes.ts'

const startHost = processHost(new URL('./audio.child.ts', import.meta.url), 2 ** 30)
const audio = createPool<AudioJob, { file: Uint8Array }>({ startHost, size: 1 })
const callers = ['test']
afterAll(() => audio.close())

async function render(job: AudioJob): Promise<Uint8Array> {
  return (await audio.run(job, { callers })).file
}

const quarter = 480
const tail = 2

const chord = (start: number) => [60, 64, 67].flatMap((key) => midiNote(start, key, { length: 2 * quarter }))
/** At 120 quarters a minute: a chord for a second, silence for two, a chord for a second, and a rest of a second. */
const withRest = { midi: midiBytes([[midiTempo(0, 120)], [...chord(0), ...chord(6 * quarter)]]), seconds: 5 }

/** Left and right of a WAV file, as shares of full scale. */
function samplesOf(wav: Uint8Array) {
  const data = Buffer.from(wav).subarray(44)
  const side = (offset: number) =>
    Float32Array.from(
      { length: data.length / 4 },
      (_, frame) => data.readInt16LE(frame * 4 + offset) / 32_768,
    )
  return { left: side(0), right: side(2) }
}

const loudest = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(from * 44_100, to * 44_100).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

describe('a WAV file', () => {
  test('lasts as long as the music plus the tail, to the sample', async () => {
    const { left, right } = samplesOf(await render({ to: 'wav', ...withRest }))
    expect([left.length, right.length]).toEqual([(5 + tail) * 44_100, (5 + tail) * 44_100])
  })

  test('has sound in both channels during notes, is nearly silent during a rest, and ends in silence', async () => {
    for (const side of Object.values(samplesOf(await render({ to: 'wav', ...withRest })))) {
      expect(loudest(side, 0, 1)).toBeGreaterThan(0.4)
      expect(loudest(side, 3, 4)).toBeGreaterThan(0.4)
      expect(loudest(side, 2.5, 2.95)).toBeLessThan(0.02)
      expect(loudest(side, 6.99, 7)).toBeLessThan(0.001)
    }
  })

  test.each([1, 20, 127])(
    'of notes with velocity %i has its peak 1 dB below full scale',
    async (velocity) => {
      const midi = midiBytes([midiNote(0, 60, { velocity })])
      const { left, right } = samplesOf(await render({ to: 'wav', midi, seconds: 1 }))
      expect(Math.max(loudest(left, 0, 3), loudest(right, 0, 3))).toBeCloseTo(10 ** (-1 / 20), 3)
    },
  )

  test('starts with silence if the music starts with a rest', async () => {
    const { left } = samplesOf(
      await render({ to: 'wav', midi: midiBytes([midiNote(4 * quarter, 60)]), seconds: 3 }),
    )
    expect(loudest(left, 0, 1.9)).toBe(0)
    expect(loudest(left, 2, 2.5)).toBeGreaterThan(0.4)
  })

  test('is silent if the music has only rests', async () => {
    const { left } = samplesOf(
      await render({ to: 'wav', midi: midiBytes([[midiTempo(0, 120)]]), seconds: 2 }),
    )
    expect(left).toHaveLength(4 * 44_100)
    expect(loudest(left, 0, 4)).toBe(0)
  })

  test('has the same bytes in every run', async () => {
    const job: AudioJob = { to: 'wav', ...withRest }
    expect(Buffer.from(await render(job)).equals(await render(job))).toBe(true)
  })
})

describe('an MP3 file', () => {
  test('has stereo frames of 160 kbit/s at 44.1 kHz, as many as the music and the tail need', async () => {
    const mp3 = Buffer.from(await render({ to: 'mp3', ...withRest }))
    let frames = 0
    for (let at = 0; at + 4 <= mp3.length; frames++) {
      const header = mp3.readUInt32BE(at)
      // ISO/IEC 11172-3, 2.4.2.3: sync word, MPEG-1, layer III; bit rate 10 is 160 kbit/s, frequency 0 is 44.1 kHz.
      expect([header >>> 17, (header >> 12) & 0xf, (header >> 10) & 3]).toEqual([0x7ffd, 10, 0])
      expect((header >> 6) & 3).not.toBe(3)
      at += Math.floor((144 * 160_000) / 44_100) + ((header >> 9) & 1)
    }
    expect((frames * 1152) / 44_100).toBeGreaterThan(5 + tail)
    expect((frames * 1152) / 44_100).toBeLessThan(5 + tail + 0.15)
  })

  test('reports rising percentages up to 100', async () => {
    const percents: number[] = []
    await audio.run({ to: 'mp3', ...withRest }, { callers, report: (percent) => percents.push(percent) })
    expect(percents.length).toBeGreaterThan(10)
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
  })
})
