/** The meaning of words for a gradual change of loudness. */
export interface DynamicWords {
  readonly isCrescendo: boolean
  /** "Dim. al niente". */
  readonly isToNothing: boolean
}

/** A longer text explains the performance. */
const LONGEST = 60

/** "Dim" alone is also a word for a light and for a chord. */
const change = /\b(cresc)|\bdecresc|\bdim(?:in|\.|$|,|(?= (?:al|e|molto|poco|sempre)\b))/
const denied = /\b(?:senza|non|ohne|kein|sans|without|no|sin)\b[^,;]*\b(?:cresc|decresc|dim)/

/** Reads "cresc.", "poco a poco dim." and the like. Undefined for words about something else. */
export function dynamicWordsOf(text: string): DynamicWords | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.toLowerCase()
  const found = change.exec(words)
  if (found === null || denied.test(words)) return undefined
  return { isCrescendo: found[1] !== undefined, isToNothing: /\bal niente\b/.test(words) }
}
