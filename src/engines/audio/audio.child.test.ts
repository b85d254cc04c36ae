import { afterAll, describe, expect, test } from 'vitest'
import type { AudioJob } from './audio.child.ts'
import { packagedSoundFont } from './sound-font.ts'
import { growingFile } from '../../lib/growing-file.ts'
import { createPool, type RunOptions } from '../hosts/pool.ts'
import { processHost } from '../hosts/process-host.ts'
import { midiBytes, midiNote, midiTempo } from '../../music/testing/midi-bytes.ts'

const module = new URL('./audio.child.ts', import.meta.url)
const audio = createPool<AudioJob, unknown>({
  startHost: processHost(module, { memory: 2 ** 30, arguments: [packagedSoundFont.path] }),
  size: 1,
})
const callers = ['test']
afterAll(() => audio.close())

async function render(
  job: Omit<AudioJob, 'loudest'> & Partial<AudioJob>,
  options: Partial<RunOptions> = {},
): Promise<Buffer> {
  const file = growingFile()
  const receive: RunOptions['receive'] = (part) => {
    file.add(part.offset, part.bytes)
    options.receive?.(part)
  }
  await audio.run({ loudest: [], ...job }, { callers, ...options, receive })
  return file.bytes()
}

const quarter = 480
const tail = 2

const chord = (start: number) => [60, 64, 67].flatMap((key) => midiNote(start, key, { length: 2 * quarter }))
/** At 120 quarters a minute: a chord for a second, silence for two, a chord for a second, and a rest of a second. */
const withRest = { midi: midiBytes([[midiTempo(0, 120)], [...chord(0), ...chord(6 * quarter)]]), seconds: 5 }

/**
 * A piece of 20 seconds for piano, strings, oboe, choir and drums, which is loudest at the end. It is too long to be listened to
 * as a whole before it is written.
 */
const programs = [0, 48, 68, 52]
const orchestra = {
  midi: midiBytes(
    [
      [midiTempo(0, 120)],
      ...programs.map((program, channel) => [
        [0, 0xc0 | channel, program] as const,
        ...Array.from({ length: 20 }, (_, beat) =>
          midiNote(2 * beat * quarter, 48 + 5 * channel + (beat % 7), {
            length: 2 * quarter,
            velocity: beat > 15 ? 120 : 50,
            channel,
          }),
        ).flat(),
      ]),
      Array.from({ length: 40 }, (_, beat) =>
        midiNote(beat * quarter, beat % 2 ? 38 : 36, { channel: 9 }),
      ).flat(),
    ].map((track) => track.map((message) => [...message] as [number, ...number[]])),
  ),
  seconds: 20,
  loudest: [16, 18, 4],
}

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

const meanSquare = (samples: Float32Array) =>
  samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length

const full = 10 ** (-1 / 20)

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
      expect(Math.max(loudest(left, 0, 3), loudest(right, 0, 3))).toBeCloseTo(full, 3)
    },
  )

  test('of a long piece has its peak there as well, does not clip, and keeps the dynamics', async () => {
    const { left, right } = samplesOf(await render({ to: 'wav', ...orchestra }))
    const peak = Math.max(loudest(left, 0, 22), loudest(right, 0, 22))
    expect(peak).toBeCloseTo(full, 1)
    expect(peak).toBeLessThanOrEqual(full + 1 / 32_768)
    const soft = meanSquare(left.subarray(8 * 44_100, 15 * 44_100))
    const loud = meanSquare(left.subarray(16 * 44_100, 20 * 44_100))
    expect(10 * Math.log10(loud / soft)).toBeGreaterThan(6)
    // −40 dB to −6 dB: music, neither silence nor noise.
    expect(meanSquare(left)).toBeGreaterThan(1e-4)
    expect(meanSquare(left)).toBeLessThan(0.25)
  })

  test('is the same, and does not exceed full scale, if the loudest moment was not found', async () => {
    const { left, right } = samplesOf(await render({ to: 'wav', ...orchestra, loudest: [4] }))
    const peak = Math.max(loudest(left, 0, 22), loudest(right, 0, 22))
    expect(peak).toBeLessThanOrEqual(full + 1 / 32_768)
    expect(peak).toBeGreaterThan(0.8)
  })

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
})

/** The frames of an MP3 file (ISO/IEC 11172-3, 2.4.2.3). Expects that each one follows the one before. */
function framesOf(mp3: Buffer): number {
  let frames = 0
  for (let at = 0; at + 4 <= mp3.length; frames++) {
    const header = mp3.readUInt32BE(at)
    // Sync word, MPEG-1, layer III; bit rate 10 is 160 kbit/s, frequency 0 is 44.1 kHz; mode 3 would be mono.
    expect([header >>> 17, (header >> 12) & 0xf, (header >> 10) & 3]).toEqual([0x7ffd, 10, 0])
    expect((header >> 6) & 3).not.toBe(3)
    at += Math.floor((144 * 160_000) / 44_100) + ((header >> 9) & 1)
  }
  return frames
}

describe('an MP3 file', () => {
  test('has stereo frames of 160 kbit/s at 44.1 kHz, as many as the music and the tail need', async () => {
    const seconds = (framesOf(await render({ to: 'mp3', ...withRest })) * 1152) / 44_100
    expect(seconds).toBeGreaterThan(5 + tail)
    expect(seconds).toBeLessThan(5 + tail + 0.15)
  })

  test('is sent in parts while it is made, and has the same bytes in every run', async () => {
    const events: string[] = []
    const first = await render(
      { to: 'mp3', ...orchestra },
      {
        receive: ({ offset }) => events.push(`from ${offset}`),
        report: (percent) => events.push(`${percent} %`),
      },
    )
    expect(events[0]).toBe('from 0')
    const parts = events.filter((event) => event.startsWith('from'))
    expect(parts.length).toBeGreaterThan(10)
    expect(events.indexOf('50 %')).toBeGreaterThan(1)
    expect(events.indexOf('50 %')).toBeLessThan(events.indexOf(parts.at(-1) as string))
    const percents = events.filter((event) => event.endsWith('%')).map((event) => Number.parseInt(event, 10))
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
    expect(framesOf(first)).toBe(Math.ceil((22 * 44_100) / 1152) + 1)
    expect(first.equals(await render({ to: 'mp3', ...orchestra }))).toBe(true)
  })
})
