import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { accountTokens } from './account-tokens.ts'

const [ann, ben] = ['a'.repeat(24), 'b'.repeat(24)]
const tokensWith = (secret = randomBytes(32)) => accountTokens(createSecretKey(secret), 'partita_mails_')

it('verifies a token for its account and version alone', () => {
  const tokens = tokensWith()
  const token = tokens.tokenOf(ann, '1')
  expect(token).toMatch(/^partita_mails_a{24}[0-9a-f]{64}$/)
  expect(tokens.accountOf(token)).toBe(ann)
  expect([tokens.verify(token, ann, '1'), tokens.verify(token, ann, '2')]).toEqual([true, false])
  expect(tokens.verify(token.replace(ann, ben), ben, '1')).toBe(false)
  expect(tokensWith().verify(token, ann, '1')).toBe(false)
})

it.each(['', 'partita_mails_', `partita_mails_${ann}`, `x${ann}${'0'.repeat(64)}`])(
  'finds no account in another text: "%s"',
  (text) => {
    expect(tokensWith().accountOf(text)).toBeUndefined()
    expect(tokensWith().verify(text, ann, '1')).toBe(false)
  },
)
