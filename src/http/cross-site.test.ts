import { describe, expect, it } from 'vitest'
import { isCrossSite, isFromOwnPage } from './cross-site.ts'

const publicUrl = 'https://partita.example/music'

describe('a request is from another site', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://partita.example' },
    { origin: 'https://evil.example' },
    { origin: 'https://evil.partita.example' },
    { origin: 'https://partita.example:8443' },
    { origin: 'http://partita.example' },
    { origin: 'http://partita.example', host: 'partita.example' },
    { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' },
    { origin: 'null' },
    { origin: '' },
  ])('%j', (headers) => {
    expect(isCrossSite({ host: 'partita.example', ...headers }, publicUrl)).toBe(true)
  })
})

describe('a request is from here', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://partita.example' },
    { origin: 'https://partita.example:443' },
    {},
  ])('%j', (headers) => {
    expect(isCrossSite({ host: 'internal:3000', ...headers }, publicUrl)).toBe(false)
  })
})

describe('a session counts for a request', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://partita.example' },
    // A GET in a browser that sends no fetch metadata.
    { referer: 'https://partita.example/account' },
  ])('that says %j', (headers) => {
    const sent = { host: 'internal:3000', 'x-partita-client': 'web', ...headers }
    expect(isFromOwnPage(sent, publicUrl)).toBe(true)
    const { 'x-partita-client': _client, ...withoutClient } = sent
    expect(isFromOwnPage(withoutClient, publicUrl)).toBe(false)
  })
})

describe('a session does not count for a request', () => {
  it.each([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://partita.example' },
    { origin: 'https://evil.example' },
    { origin: 'null', referer: 'https://partita.example/account' },
    { origin: 'https://partita.example:8443' },
    { origin: 'http://partita.example' },
    { referer: 'http://partita.example/account' },
    { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' },
    { referer: 'https://evil.example/?https://partita.example' },
    { referer: '' },
  ])('that says %j', (headers) => {
    const sent = { host: 'partita.example', 'x-partita-client': 'web', ...headers }
    expect(isFromOwnPage(sent, publicUrl)).toBe(false)
  })
})
