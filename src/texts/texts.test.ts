import { describe, expect, it } from 'vitest'
import { languages, textsFor, textsIn } from './texts.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

const translations = { de, es, fr }
const namesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe.each(Object.entries(translations))('the texts in %s', (_language, texts) => {
  it('are those that there are in English, with the same values in them, and none of them English', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
    for (const [key, text] of Object.entries(texts) as [keyof typeof en, string][]) {
      expect([key, namesIn(text)]).toEqual([key, namesIn(en[key])])
      // A single word may be the same in both.
      if (/\s/.test(text)) expect([key, text]).not.toEqual([key, en[key]])
    }
  })
})

it.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['ja', 'en'],
  ['de-AT, en;q=0.5', 'de'],
  ['ja, fr;q=0.4, es;q=0.6', 'es'],
  ['nonsense;;q=x', 'en'],
])('who accepts %s reads %s', (accepted, language) => {
  const { text, ...texts } = textsFor({ 'accept-language': accepted })
  expect(texts.language).toBe(language)
  expect(text('link.signIn')).toBe(textsIn(language).text('link.signIn'))
  expect(languages).toContain(language)
})
