import { createInstance } from 'i18next'
import type en from '../../locales/en.json'

/** The key of one text. `locales/en.json` defines the keys, and every translation has the same. */
export type TextKey = keyof typeof en

/** All texts of one language: the content of one file in `locales/`. */
export type Catalogue = Readonly<Record<TextKey, string>>

/** The texts of pages and mails in one language. */
export interface Texts {
  /** BCP 47 language tag. */
  readonly language: string
  /**
   * Returns a text with its placeholders replaced by `values`. Numbers are formatted as is usual in the language. The
   * values are not escaped: escaping is the task of the template.
   */
  text(key: TextKey, values?: Readonly<Record<string, string | number>>): string
}

/** @param language BCP 47 language tag of the catalogue */
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
  const numbers = new Intl.NumberFormat(language)
  const formatted = ([name, value]: [string, string | number]) =>
    [name, typeof value === 'number' ? numbers.format(value) : value] as const
  // Most texts of a page have no placeholders. The cache saves the lookup, which costs more than the rest of the page.
  const plain = new Map<TextKey, string>()
  return {
    language,
    text(key, values) {
      const cached = values ? undefined : plain.get(key)
      if (cached !== undefined) return cached
      if (values) return i18n.t(key, Object.fromEntries(Object.entries(values).map(formatted)))
      const text = i18n.t(key)
      plain.set(key, text)
      return text
    },
  }
}
