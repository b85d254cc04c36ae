/** The meaning of a text for the order of playing. */
export type JumpWords =
  | ({ readonly jump: 'dacapo' | 'dalsegno' } & JumpPlan)
  | { readonly jump: 'tocoda' | 'fine' | 'coda' }

/** The mark that ends playing after a jump: Fine, To Coda, or whichever comes first, or the segno ("D.C. al Segno"). */
type JumpEnd = 'fine' | 'coda' | 'either' | 'segno'

/** What is played after a jump back. */
export interface JumpPlan {
  readonly until: JumpEnd
  /** The coda follows at the end, instead of the end of the music. */
  readonly thenCoda: boolean
  /** The music from before the jump is repeated again. */
  readonly withRepeats: boolean
}

/** That of a jump without words. */
export const plainPlan: JumpPlan = { until: 'either', thenCoda: false, withRepeats: false }

/** A longer text does not describe a jump. */
const LONGEST = 40

/** The name of the movement before a jump: "Menuetto D.C.". */
const movement =
  /^(?!(?:senza|sin|sans|non?|ohne|nicht|fine|to|alla?|il|dal|del)\b)\p{L}{3,}\.?,? +(?=d\. ?c\b|d\. ?s\b|dc\b|ds\b|da capo|dal segno|del segno)/u
const afterJump = '(?:$|al|alla|sin|senza|con|e|poi|with|mit|ohne|avec)'
const daCapo = new RegExp(`^(?:dc|dacapo)${afterJump}`)
const dalSegno = new RegExp(`^(?:dss?|dalsegno|delsegno)${afterJump}`)

/**
 * Reads "D.C. al Fine", "Dal Segno al Coda", "To Coda", "Fine" and the like. Only for directions without
 * these attributes in a `sound`, which the specification calls reliable (MusicXML 4.0, elements `segno`,
 * `coda`, `words`).
 */
export function jumpWordsOf(text: string): JumpWords | undefined {
  if (text.length > LONGEST) return undefined
  const letters = text
    .toLowerCase()
    .replace(movement, '')
    .replace(/[^a-z]/g, '')
  if (daCapo.test(letters)) return { jump: 'dacapo', ...planOf(letters) }
  if (dalSegno.test(letters)) return { jump: 'dalsegno', ...planOf(letters.replace(/^d[ae]lsegno/, '')) }
  if (/^(?:to|al|alla)coda$/.test(letters)) return { jump: 'tocoda' }
  if (/^(?:il)?fine$/.test(letters)) return { jump: 'fine' }
  if (letters === 'coda') return { jump: 'coda' }
  return undefined
}

function planOf(letters: string): JumpPlan {
  const thenCoda = /(?:poi|und|e)(?:alla|la|zur|al)?coda/.test(letters)
  return {
    until: endOf(letters, thenCoda),
    thenCoda,
    withRepeats: /(?:con|with|mit|avec)(?:la|le|the|den)?(?:rep|rip|wiederh|wdh)/.test(letters),
  }
}

function endOf(letters: string, thenCoda: boolean): JumpEnd {
  if (/(?:al|fino?al|to)segno/.test(letters)) return 'segno'
  // The coda follows the Fine, or the place that says "To Coda".
  if (thenCoda) return 'either'
  if (letters.includes('coda')) return 'coda'
  return letters.includes('fine') ? 'fine' : 'either'
}
