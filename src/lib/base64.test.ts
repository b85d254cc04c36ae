import { describe, expect, it } from 'vitest'
import { decodeBase64 } from './base64.ts'

describe('decodeBase64', () => {
  it.each(['aGVsbG8=', 'aGVsbG8', 'aGVs\nbG8=\r\n'])('reads %j', (text) => {
    expect(decodeBase64(text)?.toString()).toBe('hello')
  })

  it.each(['aGVsbG8?', 'aGVs*bG8=', 'aGVsb', 'data:image/png;base64,aGVsbG8='])('refuses %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })
})
