import { midiBytes, type TimedMessage } from './midi-bytes.ts'
import { type ParsedMidi, parseMidi } from './parse-midi.ts'

/**
 * A MIDI file in which each note begins and ends a little earlier or later than in another one, as in a performance. The same seed makes the
 * same file.
 * @param milliseconds the farthest that a note moves
 */
export function performedMidi(file: Uint8Array, milliseconds: number, seed = 1): Uint8Array {
  const midi = parseMidi(file)
  const random = randomNumbers(seed)
  const secondsPerTick = tempoAt(midi)
  const tracks: TimedMessage[][] = Array.from({ length: midi.tracks }, () => [])
  for (const { track, tick, type, data } of midi.metas)
    if (type !== 0x2f) tracks[track]?.push([tick, 0xff, type, ...lengthOf(data.length), ...data])
  for (const { track, tick, bytes } of midi.messages) tracks[track]?.push([tick, ...bytes])
  for (const { track, channel, key, velocity, start, end } of midi.notes) {
    const moved = () => Math.round(((random() * 2 - 1) * milliseconds) / 1000 / secondsPerTick(start))
    const from = Math.max(0, start + moved())
    const to = Math.max(from + 1, end + moved())
    tracks[track]?.push([from, 0x90 | channel, key, velocity], [to, 0x80 | channel, key, 64])
  }
  return midiBytes(tracks, { format: 1, division: midi.division })
}

function tempoAt({ metas, division }: ParsedMidi): (tick: number) => number {
  const tempos = metas.filter(({ type }) => type === 0x51).sort((a, b) => a.tick - b.tick)
  return (tick) => {
    const data = tempos.findLast((tempo) => tempo.tick <= tick)?.data
    const microseconds = data ? (data[0] ?? 0) * 65_536 + (data[1] ?? 0) * 256 + (data[2] ?? 0) : 500_000
    return microseconds / 1e6 / division
  }
}

const lengthOf = (length: number) => (length < 128 ? [length] : [0x80 | (length >> 7), length & 0x7f])

/** Numbers from 0 to 1 (Marsaglia's xorshift of 32 bits). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
