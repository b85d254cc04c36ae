import { describe, expect, it } from 'vitest'
import { redactUrl, redactUrls } from './redaction.ts'
import { newToken } from './tokens.ts'

const token = newToken('passwordReset')

describe('redactUrl', () => {
  it.each([
    ['/invitations/canary', '/invitations/[redacted]'],
    ['/%69nvitations%2Fcanary/%zz', '/invitations/[redacted]'],
    ['/pictures/canary', '/pictures/[redacted]'],
    ['/files/canary/canary?canary', '/files/[redacted]?canary'],
    ['/auth/signin-link/canary?next=/account', '/auth/signin-link/[redacted]?next=/account'],
    ['https://a.example/auth/password/canary', 'https://a.example/auth/password/[redacted]'],
    ['/v2/scores/1?a=b&sharingKey=canary&c=d', '/v2/scores/1?a=b&sharingKey=[redacted]&c=d'],
    ['/v2/scores/1?%73haring%4Bey=canary', '/v2/scores/1?%73haring%4Bey=[redacted]'],
    ['/auth/oidc/school/callback?code=canary&state=x', '/auth/oidc/school/callback?code=[redacted]&state=x'],
    [
      'https://app.example/#access_token=canary&token_type=bearer',
      'https://app.example/#access_token=[redacted]&token_type=bearer',
    ],
    ['/auth/signin?next=%2Finvitations%2Fcanary', '/auth/signin?next=[redacted]'],
    [
      '/auth/signin?next=%2Fauth%2Fsignin%3Fnext%3D%252Finvitations%252Fcanary',
      '/auth/signin?next=[redacted]',
    ],
    [`/v2/users/${token}/more`, '/v2/users/partita_reset_[redacted]/more'],
    [`/v2/users/${token.replace('_', '%5F')}`, '/[redacted]'],
    [`/v2/users?q=${token.replace('_', '%5F')}`, '/v2/users?q=[redacted]'],
  ])('changes %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected)
  })

  it.each([
    '/v2/scores/1/revisions/last/xml?url=true',
    '/v2/organizations/invitations/1',
    '/files/',
    '/%zz?%zz=%',
    '',
  ])('keeps %s', (url) => {
    expect(redactUrl(url)).toBe(url)
  })
})

describe('redactUrls', () => {
  it('changes every URL of a text and keeps the rest', () => {
    const text = `Reply already sent in "/invitations/canary" (POST)\n    at send (file:///srv/files/partita/src/app.ts:1:2), ${token}`
    expect(redactUrls(text)).toBe(
      'Reply already sent in "/invitations/[redacted]" (POST)\n    at send (file:///srv/files/partita/src/app.ts:1:2), partita_reset_[redacted]',
    )
  })

  it('keeps JSON valid', () => {
    for (const url of ['/invitations/a"b', '/auth/email/%22%0a\\', '/v2?next="/files/a\\n"&key="x']) {
      const line = JSON.stringify({ msg: `"${url}"`, url })
      expect(Object.keys(JSON.parse(redactUrls(line)))).toEqual(['msg', 'url'])
    }
  })
})
