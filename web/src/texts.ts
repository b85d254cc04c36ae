import { createContext, useContext } from 'react'
import { type Catalogue, type TextKey, type Texts, textsOf } from '../../src/texts/catalogue.ts'
import { Refusal } from './client.ts'

const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: () => import('../../src/texts/en.ts').then(({ en }) => en),
  fr: () => import('../../src/texts/fr.ts').then(({ fr }) => fr),
  de: () => import('../../src/texts/de.ts').then(({ de }) => de),
  es: () => import('../../src/texts/es.ts').then(({ es }) => es),
}

/** The texts in the language in which the server has sent the page. */
export async function loadTexts(language: string): Promise<Texts> {
  const load = catalogues[language]
  return load ? textsOf(language, await load()) : loadTexts('en')
}

export const TextsContext = createContext<Texts | undefined>(undefined)

export function useTexts(): Texts {
  const texts = useContext(TextsContext)
  if (!texts) throw new Error('no texts')
  return texts
}

const refusals: Readonly<Record<string, TextKey>> = {
  TOO_MANY_APPS: 'apps.tooMany',
  TOO_MANY_TOKENS: 'tokens.tooMany',
}

/** In words, what did not work. */
export function inWords({ text }: Texts, error: unknown): string {
  if (!(error instanceof Refusal)) return text('error.title')
  const known = refusals[error.code]
  if (known) return text(known)
  if (error.status === 0) return text('error.unreachable')
  if (error.status === 429) return text('form.tooMany', { minutes: Math.ceil(error.retryAfter / 60) })
  if (error.status === 503) return text('error.busy')
  return error.id ? text('error.ours', { id: error.id }) : text('error.title')
}
