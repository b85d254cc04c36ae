import type { Program } from './sequencer.ts'
import type { Control } from './transport.ts'

/** The name under which the worklet registers its processor. */
export const processorName = 'partita-synth'

/** What the page sends to the synthesizer. */
export type ToSynth =
  /** The presets of one sound: a sound font in the format SF2 or SF3. */
  | { readonly kind: 'sound'; readonly name: string; readonly bytes: ArrayBuffer }
  | { readonly kind: 'program'; readonly program: Program }
  | Control

/** What the synthesizer sends to the page. */
export type FromSynth =
  /** All sounds that were sent before the program are decoded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Where the music was at a time of the audio context, both in seconds. */
  | { readonly kind: 'time'; readonly at: number; readonly position: number; readonly isPlaying: boolean }
