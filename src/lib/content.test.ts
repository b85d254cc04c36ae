import { describe, expect, it } from 'vitest'
import { readContentJson } from './content.ts'

describe('readContentJson', () => {
  it('returns the value of a file', () => {
    expect(readContentJson('lessons/index.json')).toHaveProperty('version')
  })

  it('throws an error with the path of a file that is not JSON', () => {
    expect(() => readContentJson('demo/morning-walk.musicxml')).toThrow(
      /^content\/demo\/morning-walk\.musicxml is not JSON: /,
    )
  })

  it('throws an error with the path of a file that does not exist', () => {
    expect(() => readContentJson('lessons/none.json')).toThrow(/none\.json/)
  })
})
