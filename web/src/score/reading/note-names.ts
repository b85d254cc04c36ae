import type { TextKey, Texts } from '../../../../src/texts/catalogue.ts'
import type { WrittenPitch } from '../../../../src/music/model/measure-items.ts'

/** The names of the steps in the languages that have names of their own. */
const solfege: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fr: { C: 'do', D: 'ré', E: 'mi', F: 'fa', G: 'sol', A: 'la', B: 'si' },
  es: { C: 'do', D: 're', E: 'mi', F: 'fa', G: 'sol', A: 'la', B: 'si' },
}

const alterations: Readonly<Record<string, TextKey>> = {
  '-2': 'reading.doubleFlat',
  '-1': 'reading.flat',
  '-0.5': 'reading.halfFlat',
  '0.5': 'reading.halfSharp',
  '1': 'reading.sharp',
  '2': 'reading.doubleSharp',
}

/**
 * Returns the name of a tone without its octave, as musicians of the language say it: B flat, B (German), si bémol.
 * @param alter semitones
 */
export function toneName({ language, text }: Texts, step: string, alter: number): string {
  if (language === 'de' && Number.isInteger(alter)) return germanName(step, alter)
  const name = solfege[language]?.[step] ?? step
  const alteration = alterations[alter]
  return alteration ? `${name} ${text(alteration)}` : name
}

/** Returns the name of a pitch with its octave. French counts octaves from one less: middle C is do 3. */
export function pitchName(texts: Texts, { step, alter, octave }: WrittenPitch): string {
  const name = toneName(texts, step, alter)
  const number = texts.language === 'fr' ? octave - 1 : octave
  return /^[A-H]$/.test(name) ? `${name}${number}` : `${name} ${number}`
}

/** German has one word for a step with its accidental, and calls B “H” and B flat “B”. */
function germanName(step: string, alter: number): string {
  const name = step === 'B' ? 'H' : step
  if (alter >= 0) return name + 'is'.repeat(alter)
  if (name === 'H') return alter === -1 ? 'B' : `H${'es'.repeat(-alter)}`
  const isVowel = name === 'A' || name === 'E'
  return isVowel ? `${name}s${(name === 'A' ? 'as' : 'es').repeat(-alter - 1)}` : name + 'es'.repeat(-alter)
}

const sharps = ['F', 'C', 'G', 'D', 'A', 'E', 'B']

/** Returns the tonic of a key: D for two sharps, or B in minor. */
export function tonicOf(fifths: number, isMinor: boolean): { step: string; alter: number } {
  // The keys follow each other in the order of the sharps.
  const place = fifths + 1 + (isMinor ? 3 : 0)
  const step = sharps[((place % 7) + 7) % 7] ?? 'C'
  return { step, alter: Math.floor(place / 7) }
}
