import type { IncomingHttpHeaders } from 'node:http'
import { createInstance } from 'i18next'
import Negotiator from 'negotiator'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

export type TextKey = keyof typeof en

/** The texts of a page in one language. Values are put in as they are: escaping is the template's. */
export interface Texts {
  /** BCP 47. */
  readonly language: string
  text(key: TextKey, values?: Readonly<Record<string, string | number>>): string
}

const catalogues = { en, fr, de, es }
export const languages = Object.keys(catalogues)

const i18n = createInstance()
i18n.init({
  resources: Object.fromEntries(Object.entries(catalogues).map(([name, texts]) => [name, { translation: texts }])),
  fallbackLng: 'en',
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
})

/** The texts in the language of ours that the reader would have first (`Accept-Language`), else in English. */
export function textsFor(headers: IncomingHttpHeaders): Texts {
  return textsIn(new Negotiator({ headers }).language(languages) ?? 'en')
}

/** @param language one that there are texts in; else they are English */
export function textsIn(language: string): Texts {
  const translate = i18n.getFixedT(language)
  return { language, text: (key, values = {}) => translate(key, values) }
}
