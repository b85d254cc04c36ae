import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import { scopes } from '../contract/scopes.ts'
import { languages, textsFor, textsIn } from './texts.ts'
import { usedKeys } from './used-keys.ts'

const root = join(import.meta.dirname, '../..')
const translations: Readonly<Record<string, Readonly<Record<string, string>>>> = { de, es, fr }
const english: Readonly<Record<string, string>> = en
const placeholdersIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe('the folder locales/', () => {
  it('has one file for each language', () => {
    const files = globSync('*.json', { cwd: join(root, 'locales') })
    expect(files.sort()).toEqual(languages.map((language) => `${language}.json`).sort())
  })
})

describe.each(Object.entries(translations))('the texts in %s', (_language, texts) => {
  it('have the same keys as the English texts, in the same order', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(english))
  })

  it('have the same placeholders as the English texts', () => {
    const placeholders = (all: typeof english) =>
      Object.fromEntries(Object.entries(all).map(([key, text]) => [key, placeholdersIn(text)]))
    expect(placeholders(texts)).toEqual(placeholders(english))
  })

  it('are translated', () => {
    // A single word may be the same in both languages.
    const isUntranslated = ([key, text]: [string, string]) =>
      text.trim() === '' || (/\s/.test(text) && text === english[key])
    expect(Object.entries(texts).filter(isUntranslated)).toEqual([])
  })
})

describe('the texts in English', () => {
  it('have braces only around placeholders', () => {
    const hasOtherBraces = ([, text]: [string, string]) => /[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, ''))
    expect(Object.entries(english).filter(hasOtherBraces)).toEqual([])
  })

  it('describe each scope in the words of the interface description', () => {
    const described = Object.entries(english).filter(([key]) => key.startsWith('scope.'))
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(Object.entries(scopes).map(([scope, text]) => [`scope.${scope}`, text])),
    )
  })

  it('are all used', () => {
    const files = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root })
    const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    const used = new Set(usedKeys(code, Object.keys(english)))
    const unused = Object.keys(english).filter((key) => !used.has(key))
    expect(unused).toEqual([])
  })
})

it.each([
  ['en', '1,234,567'],
  ['de', '1.234.567'],
])('formats numbers as is usual in %s', (language, number) => {
  expect(textsIn(language).text('audit.count', { number: 1_234_567 })).toContain(`: ${number}.`)
})

it.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['ja', 'en'],
  ['de-AT, en;q=0.5', 'de'],
  ['ja, fr;q=0.4, es;q=0.6', 'es'],
  ['nonsense;;q=x', 'en'],
])('answers Accept-Language %s in %s', (accepted, language) => {
  const { text, ...texts } = textsFor({ 'accept-language': accepted })
  expect(texts.language).toBe(language)
  expect(text('link.signIn')).toBe(textsIn(language).text('link.signIn'))
  expect(languages).toContain(language)
})
