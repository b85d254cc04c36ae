import { describe, expect, it } from 'vitest'
import { isCrossSite } from './cross-site.ts'

const publicUrl = 'https://partita.example/music'

describe('a request is from another site', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://partita.example' },
    { origin: 'https://evil.example' },
    { origin: 'https://evil.partita.example' },
    { origin: 'https://partita.example:8443' },
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
    { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' },
    {},
  ])('%j', (headers) => {
    expect(isCrossSite({ host: 'internal:3000', ...headers }, publicUrl)).toBe(false)
  })
})
