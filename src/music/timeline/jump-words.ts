/** The meaning of a text for the order of playing. */
export type JumpWords =
  | { readonly jump: 'dacapo' | 'dalsegno'; readonly until: JumpEnd }
  | { readonly jump: 'tocoda' | 'fine' | 'coda' }

/** The mark that ends playing after a jump: Fine, To Coda, or whichever comes first. */
export type JumpEnd = 'fine' | 'coda' | 'either'

/** A longer text does not describe a jump. */
const LONGEST = 40

/**
 * Reads "D.C. al Fine", "Dal Segno al Coda", "To Coda", "Fine" and the like. Only for directions without
 * these attributes in a `sound`, which the specification calls reliable (MusicXML 4.0, elements `segno`,
 * `coda`, `words`).
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

/** The mark up to which the music is played after a jump with these words. */
function endOf(letters: string): JumpEnd {
  if (letters.includes('coda')) return 'coda'
  return letters.includes('fine') ? 'fine' : 'either'
}
