import { expect, it } from 'vitest'
import { hashToken, isBearerToken, isToken, newPersonalToken, newToken } from './tokens.ts'

it('makes different tokens with the prefix of their kind', () => {
  const tokens = Array.from({ length: 200 }, newPersonalToken)
  expect(tokens.every((token) => /^partita_pat_[0-9A-Za-z]{46}$/.test(token))).toBe(true)
  expect(tokens.every(isBearerToken)).toBe(true)
  expect(new Set(tokens).size).toBe(200)
})

it('refuses a mistyped token because of its checksum', () => {
  const token = newPersonalToken()
  const at = 20
  const mistyped = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  expect(isBearerToken(mistyped)).toBe(false)
  expect(isBearerToken(token.slice(0, -1))).toBe(false)
  expect(isBearerToken(token.replace('partita', 'quartet'))).toBe(false)
})

it('refuses a token of another kind', () => {
  const link = newToken('signInLink')
  expect(isToken('signInLink', link)).toBe(true)
  expect(isToken('session', link)).toBe(false)
  expect(isBearerToken(link)).toBe(false)
  expect(isBearerToken(newToken('refresh'))).toBe(false)
  expect(isBearerToken(newToken('access'))).toBe(true)
})

it('hashes a token to the same text each time, which does not contain the token', () => {
  const token = newPersonalToken()
  expect(hashToken(token)).toMatch(/^[\w-]{43}$/)
  expect(hashToken(token)).toBe(hashToken(token))
  expect(hashToken(token)).not.toContain(token.slice(12, 20))
})
