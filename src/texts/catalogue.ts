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

/**
 * @param language BCP 47 language tag of the catalogue
 * @param catalogue its texts. The browser app adds those of an area before it shows a page of the area
 */
export function textsOf(language: string, catalogue: Partial<Catalogue>): Texts {
  const numbers = new Intl.NumberFormat(language)
  return {
    language,
    text(key, values) {
      const text = catalogue[key] ?? key
      if (!values) return text
      return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
        const value = values[name] ?? placeholder
        return typeof value === 'number' ? numbers.format(value) : value
      })
    },
  }
}
