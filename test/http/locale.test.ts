import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { emptyPiano } from '../support/scores.ts'

const app = useApp(usingDatabases('sqlite'))
let marie: Person
let score: string
beforeAll(async () => {
  marie = await app.person('marie', { locale: 'fr' })
  score = (await marie.post('/scores', { ...emptyPiano(), builderData: violin, privacy: 'public' })).body.id
})

const violin = { scoreData: { instruments: [{ group: 'strings', instrument: 'violin' }] } }

it.each<[string, Record<string, string>, boolean, string]>([
  ['X-Flat-Locale first', { 'X-Flat-Locale': 'de', 'Accept-Language': 'es' }, true, 'Violine'],
  ['the account before Accept-Language', { 'Accept-Language': 'de' }, true, 'Violon'],
  ['Accept-Language without an account', { 'Accept-Language': 'de-CH, en;q=0.5' }, false, 'Violine'],
  ['English by default', {}, false, 'Violin'],
  ['English for an unsupported language', { 'X-Flat-Locale': 'tlh' }, true, 'Violin'],
  ['English for an invalid language', { 'X-Flat-Locale': '!?__proto__/../' }, true, 'Violin'],
  ['English for a wildcard', { 'Accept-Language': '*' }, false, 'Violin'],
])('chooses the language: %s', async (_what, headers, signedIn, name) => {
  const { status, body } = await (signedIn ? marie : app.anonymous).get(`/scores/${score}`, { headers })
  expect(status).toBe(200)
  expect(body.instrumentsNames).toEqual([name])
})
