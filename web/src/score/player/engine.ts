import type { CountIn } from './places.ts'
import type { Transport } from './transport.ts'

/** What makes the sound of a player: the synthesizer, or a recording that the server has made. */
export interface Engine extends Transport {
  /** Whether it can play a part louder than others, and beats of a metronome. */
  readonly hasParts: boolean
  /** What is heard, for meters and tests. Undefined if the browser cannot tell. */
  readonly analyser: AnalyserNode | undefined
  /** Where the music is that the listener hears now, in seconds at the written tempo. */
  position(): number
  play(countIn: CountIn | undefined): Promise<void>
  /** @param volume from 0 to 1 */
  setVolume(volume: number): void
  close(): void
}

/** Creates an engine. Browsers only let it sound if this is called when the user presses a key or a button. */
export type StartEngine = (events: {
  /** The music has stopped at its end. */
  onEnd(): void
  onFailure(error: unknown): void
}) => Promise<Engine>
