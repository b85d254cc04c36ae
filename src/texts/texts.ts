import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import { type Texts, textsOf } from './catalogue.ts'

const english = textsOf('en', en)
const byLanguage = new Map(
  [english, textsOf('fr', fr), textsOf('de', de), textsOf('es', es)].map((texts) => [texts.language, texts]),
)

/** BCP 47 tags of the languages that have texts. */
export const languages: readonly string[] = [...byLanguage.keys()]

/** Returns the texts in the language that the `Accept-Language` header prefers. Falls back to English. */
export function textsFor(headers: IncomingHttpHeaders): Texts {
  return textsIn(new Negotiator({ headers }).language([...languages]) ?? 'en')
}

/** Returns the texts in `language`. Falls back to English. */
export function textsIn(language: string): Texts {
  return byLanguage.get(language) ?? english
}
