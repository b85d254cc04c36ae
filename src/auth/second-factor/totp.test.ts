import { expect, it } from 'vitest'
import { newTotpSecret, totpCode, totpSecretText, totpStepOf, totpUri } from './totp.ts'

/**
 * The secret and times of RFC 6238, appendix B. The six-digit codes are the last six digits of its
 * eight-digit codes.
 */
const secret = Buffer.from('12345678901234567890')
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

it.each(vectors)('returns the code of RFC 6238 at %i seconds: %s', (seconds, code) => {
  expect(totpCode(secret, seconds * 1000)).toBe(code)
  expect(totpStepOf(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

it('accepts the codes of the previous and the next step, and no others', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / 30_000)
  const stepAfter = (steps: number) => totpStepOf(secret, totpCode(secret, now + steps * 30_000), now)
  expect([-2, -1, 0, 1, 2].map(stepAfter)).toEqual([undefined, step - 1, step, step + 1, undefined])
})

it('accepts spaces in a code and refuses invalid codes', () => {
  expect(totpStepOf(secret, ' 005 924 ', 1_234_567_890_000)).toBe(41_152_263)
  for (const text of ['', '5924', '0059241', '00592x', '００５９２４', '005924,005924']) {
    expect(totpStepOf(secret, text, 1_234_567_890_000)).toBeUndefined()
  }
})

it('creates random secrets of 160 bits with a URI that apps can read', () => {
  const [one, other] = [newTotpSecret(), newTotpSecret()]
  expect([one.length, other.length]).toEqual([20, 20])
  expect(Buffer.compare(one, other)).not.toBe(0)
  expect(totpSecretText(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const uri = new URL(totpUri(secret, 'partita.example', 'otto & co'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/partita.example:otto & co',
  ])
  expect(uri.searchParams.get('secret')).toBe(totpSecretText(secret))
  expect(uri.searchParams.get('issuer')).toBe('partita.example')
})

it('reads a secret that is a view of a larger buffer', () => {
  const buffer = Buffer.concat([Buffer.alloc(7, 1), secret, Buffer.alloc(5, 2)])
  expect(totpCode(buffer.subarray(7, 27), 59_000)).toBe('287082')
})
