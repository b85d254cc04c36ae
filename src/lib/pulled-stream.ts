import { Readable } from 'node:stream'

/**
 * A stream of texts that are made when its reader has taken the ones before. A slow reader skips what is outdated, so the stream
 * never holds more than one text.
 */
export class PulledStream extends Readable {
  readonly #next: () => string | undefined
  #isWanted = false

  /** @param next returns the text to send now, or undefined if there is none */
  constructor(next: () => string | undefined) {
    super({ highWaterMark: 1 })
    this.#next = next
  }

  override _read(): void {
    this.#isWanted = true
    this.wake()
  }

  /** Call it when there may be a new text. */
  wake(): void {
    if (!this.#isWanted || this.destroyed || this.readableEnded) return
    const text = this.#next()
    if (text !== undefined) this.#send(text)
  }

  /** Sends a text if the reader waits for one. */
  offer(text: string): void {
    if (this.#isWanted && !this.destroyed && !this.readableEnded) this.#send(text)
  }

  /** Sends a last text and ends the stream. */
  finish(text: string): void {
    if (this.destroyed || this.readableEnded) return
    this.#isWanted = false
    this.push(text)
    this.push(null)
  }

  #send(text: string): void {
    this.#isWanted = this.push(text)
  }
}
