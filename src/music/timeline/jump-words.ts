/** What a piece of text says about the way through the score. */
export type JumpWords =
  | { readonly jump: 'dacapo' | 'dalsegno'; readonly until: JumpEnd }
  | { readonly jump: 'tocoda' | 'fine' | 'coda' }

/** Where playing after a jump ends or leaves: at Fine, to the coda, or at whichever comes first. */
export type JumpEnd = 'fine' | 'coda' | 'either'

/** Longer text than any jump is written with tells a story. */
const LONGEST = 40

/**
 * Reads "D.C. al Fine", "Dal Segno al Coda", "To Coda", "Fine" and the like. Only for directions that say nothing by
 * their `sound`: the specification calls that the reliable one (MusicXML 4.0, elements `segno`, `coda`, `words`).
 */
export function jumpWordsOf(text: string): JumpWords | undefined {
  if (text.length > LONGEST) return undefined
  const letters = text.toLowerCase().replace(/[^a-z]/g, '')
  const isDaCapo = /^(?:dc|dacapo)(?:$|al|alla|sin|senza|con|e)/.test(letters)
  const isDalSegno = /^(?:dss?|dalsegno|delsegno)(?:$|al|alla|sin|senza|con|e)/.test(letters)
  if (isDaCapo || isDalSegno) return { jump: isDaCapo ? 'dacapo' : 'dalsegno', until: endOf(letters) }
  if (/^(?:to|al|alla)coda$/.test(letters)) return { jump: 'tocoda' }
  if (/^(?:il)?fine$/.test(letters)) return { jump: 'fine' }
  if (letters === 'coda') return { jump: 'coda' }
  return undefined
}

/** Where the jump that these words make leads until. */
function endOf(letters: string): JumpEnd {
  if (letters.includes('coda')) return 'coda'
  return letters.includes('fine') ? 'fine' : 'either'
}
