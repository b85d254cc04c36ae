/** An instrument's name is short; the patterns that take it apart would take seconds over a long text. */
const LONGEST_NAME = 200

/** One way to read the name of a part. */
export interface NameReading {
  /** The name without numbers, `clarinet` in `1st B♭ Clarinets`. */
  readonly base: string
  /** The pitch class of the key that it names, 0 for C to 11 for B. */
  readonly key?: number
}

/** Lower case without accents and punctuation, so that `Flûte (Solo)`, `flute` and `FLUTE` are equal. */
export function plainName(name: string): string {
  return plainText(name.slice(0, LONGEST_NAME).replace(/\([^)]*\)?/g, ' '))
}

function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('♭', 'b')
    .replaceAll('♯', '#')
    .replaceAll('ß', 'ss')
    .replaceAll(/(?<=\p{L})[’'](?=\p{L})/gu, ' ')
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
}

/**
 * The parts of a name that could each be the name of an instrument: its lines, what commas, slashes and “and” separate, and
 * the text in brackets. The whole name is not among them.
 */
export function segmentsOf(name: string): string[] {
  const short = name.slice(0, LONGEST_NAME)
  const segments = short.split(/[\n\r/,&+;|]| (?:and|und|et|y|e) /i)
  const inBrackets = bracketed(short)
  if (inBrackets !== '') segments.push(inBrackets)
  return segments.length > 1 ? segments : []
}

/** Whether a slash stands between two instruments: `Flute/Piccolo`, but not `Horn 3/4`. */
export function isDoubling(name: string): boolean {
  return /\/\s*\p{L}{3}/u.test(name.slice(0, LONGEST_NAME))
}

function bracketed(name: string): string {
  return /\(([^)]*)\)/.exec(name)?.[1] ?? ''
}

/** The readings of a name in four languages, from the text as it stands down to the bare instrument. */
export function readingsOf(name: string): NameReading[] {
  const plain = plainName(name)
  const readings: NameReading[] = []
  const add = (base: string, key: number | undefined) => {
    for (const form of [base, base.replace(/s$/, '')]) {
      const known = readings.some((reading) => reading.base === form && reading.key === key)
      if (form !== '' && !known) readings.push(key === undefined ? { base: form } : { base: form, key })
    }
  }
  const inBrackets = keyOf(plainText(bracketed(name.slice(0, LONGEST_NAME))))
  add(plain, inBrackets)
  const { base: bare, key = inBrackets } = bareReading(plain)
  add(bare, key)
  if (key !== undefined) return readings
  for (const { rest, key: attached } of attachedKeys(bare)) add(withoutNumbers(rest), attached)
  return readings
}

/** The name without numbers and without `in A`. @param plain a plain name */
export function bareReading(plain: string): NameReading {
  const { base, key } = withoutKeyPhrase(plain)
  const bare = withoutNumbers(base)
  return key === undefined ? { base: bare } : { base: bare, key }
}

const preposition = /(?:^| )(?:in|en) (.+)$/

/** Takes `in A`, `en si♭` or `in B♭ 2` from the end of a plain name. Other words after the preposition are dropped too. */
function withoutKeyPhrase(plain: string): NameReading {
  const phrase = preposition.exec(plain)
  const [, words = ''] = phrase ?? []
  if (phrase === null || phrase.index === 0) return { base: plain }
  const [first = '', second = ''] = words.split(' ')
  const key = keyOf(`${first} ${second}`) ?? keyOf(first)
  const base = plain.slice(0, phrase.index)
  return key === undefined ? { base } : { base, key }
}

/** The key before or after the name: `B♭ Clarinet`, `E flat Alto Sax`, `Trompete B`. */
function attachedKeys(bare: string): { rest: string; key: number }[] {
  const words = bare.split(' ')
  const found: { rest: string; key: number }[] = []
  for (const count of [2, 1]) {
    if (words.length <= count) continue
    const before = keyOf(words.slice(0, count).join(' '))
    if (before !== undefined) found.push({ rest: words.slice(count).join(' '), key: before })
    const after = keyOf(words.slice(-count).join(' '))
    if (after !== undefined) found.push({ rest: words.slice(0, -count).join(' '), key: after })
  }
  return found
}

const letters: Readonly<Record<string, number>> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 10, h: 11 }
const syllables: Readonly<Record<string, number>> = {
  ut: 0,
  do: 0,
  re: 2,
  mi: 4,
  fa: 5,
  sol: 7,
  la: 9,
  si: 11,
}
const letterKey = /^([a-h])(b|#|is|es|(?<=[ae])s)?(?: (flat|sharp))?$/
const syllableKey = /^(ut|do|re|mi|fa|sol|la|si)(b|#)?(?: (b|bemol|bemolle|diese|diesis|sostenido))?$/
const lowering = new Set(['b', 'es', 's', 'flat', 'bemol', 'bemolle'])

/**
 * The pitch class of the name of a key. A plain `b` is B♭, as in German: instruments in B natural are very rare.
 * @param text a plain name
 */
export function keyOf(text: string): number | undefined {
  const letter = letterKey.exec(text)
  const match = letter ?? syllableKey.exec(text)
  const [, name = '', sign, word] = match ?? []
  const natural = letter === null ? syllables[name] : letters[name]
  if (natural === undefined) return undefined
  const accidental = sign ?? word
  if (accidental === undefined) return natural
  if (name === 'b') return lowering.has(accidental) ? 10 : undefined
  return (natural + (lowering.has(accidental) ? 11 : 1)) % 12
}

const number = String.raw`(?:\d+(?:st|nd|rd|th|er|ere|re|eme|e|o|a|os|as)?|viii|vii|vi|iv|iii|ii|i|v)`
const ordinal =
  '(?:erste[rsn]?|zweite[rsn]?|dritte[rsn]?|vierte[rsn]?|first|second|third|fourth|premiere?s?|deuxiemes?|troisiemes?|' +
  'quatriemes?|seconde?s?|primer[oa]?s?|segund[oa]s?|tercer[oa]?s?|cuart[oa]s?|prim[oai]|second[oai]|terz[oai]|quart[oai])'
const role = '(?:solo|soli|tutti|principal|obbligato|obligato|obligat|ripieno|concertato|section|ensemble)'
const numbering = `(?:${number}|${ordinal}|${role})`
const leading = new RegExp(`^(?:${numbering} (?:(?:and|und|et|y|e) )?)+`)
const trailing = new RegExp(`(?: (?:and|und|et|y|e|${numbering}))+$`)

/** Without `1st`, `2`, `II`, `Erste`, `primo` and `solo` at both ends, unless nothing else is there. */
function withoutNumbers(plain: string): string {
  const rest = plain.replace(leading, '')
  return rest.replace(trailing, '') || plain
}
