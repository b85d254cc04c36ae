import { expect, it } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

it.each([
  ['https://scores.example.org', { id: 'scores.example.org', origin: 'https://scores.example.org' }],
  ['https://school.example:8443/music', { id: 'school.example', origin: 'https://school.example:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://school.localhost', { id: 'school.localhost', origin: 'http://school.localhost' }],
  ['http://scores.example.org', undefined],
  ['http://127.0.0.1:3000', undefined],
  ['https://192.0.2.1', undefined],
  ['https://[2001:db8::1]', undefined],
])('the relying party of %s is %o', (publicUrl, expected) => {
  expect(relyingPartyOf({ publicUrl })).toEqual(expected)
})
