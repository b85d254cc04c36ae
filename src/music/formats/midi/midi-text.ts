/** A text at its place. */
export interface MidiText {
  /** From the beginning of the file. */
  readonly tick: number
  readonly text: string
}

/** Characters of one text. */
const MAX_TEXT = 1_000

/**
 * The text of a meta event on one line, with its leading and trailing spaces. The specification gives no encoding. New
 * files have UTF-8, most others Latin-1.
 */
export function decodeMidiText(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8
  return text.replace(/[\p{Cc}\uFFFE\uFFFF]+/gu, ' ').slice(0, MAX_TEXT)
}
