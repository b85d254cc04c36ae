import { expect, test } from 'vitest'
import { failureOf } from '../../../test/support/failure.ts'
import { decodeUtf8 } from './utf8.ts'

test('a text is decoded without its byte order mark', () => {
  expect(decodeUtf8(Buffer.from('\ufeffT: Café\r\n♩'), 'INVALID_SCORE')).toBe('T: Café\r\n♩')
})

test.each([
  ['in the first line', 'Caf\xe9', 1],
  ['after line breaks of every kind', 'a\nb\r\nc\rCaf\xe9\nd\xe9', 4],
  ['in an incomplete character before a line break', '\xe2\x99\n', 1],
])('the error names the line of bytes that are not UTF-8: %s', (_where, content, line) => {
  const { code, message } = failureOf(() => decodeUtf8(Buffer.from(content, 'latin1'), 'INVALID_SCORE'))
  expect([code, message]).toEqual(['INVALID_SCORE', `Line ${line}: the text is not UTF-8.`])
})
