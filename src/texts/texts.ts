import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { type Texts, textsOf } from './catalogue.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

const english = textsOf('en', en)
const byLanguage = new Map(
  [english, textsOf('fr', fr), textsOf('de', de), textsOf('es', es)].map((texts) => [texts.language, texts]),
)
export const languages: readonly string[] = [...byLanguage.keys()]

/** The texts in the language of ours that the reader would have first (`Accept-Language`), else in English. */
export function textsFor(headers: IncomingHttpHeaders): Texts {
  return textsIn(new Negotiator({ headers }).language([...languages]) ?? 'en')
}

/** @param language one that there are texts in; else they are English */
export function textsIn(language: string): Texts {
  return byLanguage.get(language) ?? english
}
