/** The text of a field with the place of the caret, or with the selection. */
interface Selected {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Replaces the selection by a text, with a space between it and a word beside it. Returns the place after the text as caret. */
export function inserted({ value, start, end }: Selected, text: string): { value: string; caret: number } {
  const [before, after] = [value.slice(0, start), value.slice(end)]
  const head = before + (/\S$/.test(before) ? ' ' : '') + text
  return { value: head + (/^[\p{L}\p{N}]/u.test(after) ? ' ' : '') + after, caret: head.length }
}
