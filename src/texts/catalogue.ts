import { createInstance } from 'i18next'
import type { en } from './en.ts'

export type TextKey = keyof typeof en

/** What pages and mails say in one language. */
export type Catalogue = Readonly<Record<TextKey, string>>

/** The texts of a page in one language. Values are put in as they are: escaping is the template's. */
export interface Texts {
  /** BCP 47. */
  readonly language: string
  text(key: TextKey, values?: Readonly<Record<string, string | number>>): string
}

/** @param language BCP 47, that of the catalogue */
export function textsOf(language: string, catalogue: Catalogue): Texts {
  const i18n = createInstance()
  i18n.init({
    lng: language,
    resources: { [language]: { translation: catalogue } },
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  })
  // Most texts of a page bear no values; to look them up would cost more than all else in it.
  const plain = new Map<TextKey, string>()
  return {
    language,
    text(key, values) {
      const known = values ? undefined : plain.get(key)
      if (known !== undefined) return known
      const text = i18n.t(key, values ?? {})
      if (!values) plain.set(key, text)
      return text
    },
  }
}
