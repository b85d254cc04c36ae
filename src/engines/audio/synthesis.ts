import {
  BasicMIDI,
  type BasicSoundBank,
  MIDIMessageTypes,
  type ReverbProcessor,
  SpessaSynthProcessor,
  SpessaSynthSequencer,
} from 'spessasynth_core'
import { blockFrames, sampleRate } from './sound.ts'
import type { DryBlock } from './sound-ring.ts'

/** Frames that are rendered together. Events are at most 3 ms late. */
const quantum = 128
/** The percussion channel of General MIDI, from 0. Its notes can silence each other. */
const percussion = 9

/** One of several shares of the notes of a MIDI file. */
export interface Share {
  /** From 0. */
  readonly index: number
  readonly count: number
}

/**
 * Reads a MIDI file with the notes of one share. The voices of notes do not depend on each other, so the sum of all shares is the
 * whole file: the same samples as of one synthesizer, but for the rounding of sums.
 */
export function readShare(midi: Uint8Array, share: Share): BasicMIDI {
  const file = BasicMIDI.fromArrayBuffer(new Uint8Array(midi).buffer)
  muteOthers(file, share)
  return file
}

/**
 * Plays a MIDI file, which can be played several times.
 * @param startSeconds where to begin. Notes that began before it are left out.
 * @returns a function that adds the next block to a silent one
 */
export async function startPlaying(
  bank: BasicSoundBank,
  file: BasicMIDI,
  startSeconds = 0,
): Promise<(block: DryBlock) => void> {
  const send = new Float32Array(blockFrames)
  const synthesizer = new SpessaSynthProcessor(sampleRate, {
    eventsEnabled: false,
    reverbProcessor: reverbSend(send),
  })
  synthesizer.soundBankManager.addSoundBank(bank, 'instruments')
  await synthesizer.processorInitialized
  const sequencer = new SpessaSynthSequencer(synthesizer)
  sequencer.skipToFirstNoteOn = false
  sequencer.loopCount = 0
  sequencer.loadNewSongList([file])
  sequencer.play()
  if (startSeconds > 0) sequencer.currentTime = startSeconds
  return (block) => {
    send.fill(0)
    for (let start = 0; start < blockFrames; start += quantum) {
      sequencer.processTick()
      synthesizer.process(block.left, block.right, start, quantum)
    }
    block.send.set(send)
  }
}

/** Turns the notes that are not of this share into messages that have no effect. Everything else goes to each share. */
function muteOthers({ tracks }: BasicMIDI, { index, count }: Share): void {
  const notes = tracks.flatMap(({ events, port }) =>
    events.flatMap((event) => {
      const status = event.statusByte & 0xf0
      if (status !== MIDIMessageTypes.noteOn && status !== MIDIMessageTypes.noteOff) return []
      const channel = event.statusByte & 0x0f
      const line = channel === percussion ? `${port} percussion` : `${port} ${channel} ${event.data[0]}`
      return { event, line }
    }),
  )
  const shareOf = sharesOf(notes, count)
  for (const { event, line } of notes)
    if (shareOf.get(line) !== index) event.statusByte = MIDIMessageTypes.sequenceSpecific
}

/**
 * Distributes lines of notes (one key of a channel, or the percussion) so that each share has about as many notes at all times:
 * a line goes to the share with the fewest notes, the longest line first.
 */
function sharesOf(notes: readonly { readonly line: string }[], count: number): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { line } of notes) sizes.set(line, (sizes.get(line) ?? 0) + 1)
  const totals = Array.from({ length: count }, () => 0)
  const shares = new Map<string, number>()
  for (const [line, size] of [...sizes].sort(([, a], [, b]) => b - a)) {
    const smallest = totals.indexOf(Math.min(...totals))
    totals[smallest] = (totals[smallest] ?? 0) + size
    shares.set(line, smallest)
  }
  return shares
}

/** Takes the place of the synthesizer's reverberation, and notes what it would get. */
function reverbSend(target: Float32Array): ReverbProcessor {
  // MIDI files could change these settings. Our files do not.
  const settings = { level: 64, preLowpass: 0, character: 0, time: 64, delayFeedback: 0, preDelayTime: 0 }
  return {
    ...settings,
    getSnapshot: () => settings,
    process: (input, _left, _right, start, count) => target.set(input.subarray(0, count), start),
  }
}
