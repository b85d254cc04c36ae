import { expect, it } from 'vitest'
import { pictureTypeOf } from './picture-type.ts'

it.each<[string, string, string | undefined]>([
  ['PNG', '\x89PNG\r\n\x1a\nrest', 'image/png'],
  ['JPEG', '\xff\xd8\xff\xe0rest', 'image/jpeg'],
  ['WebP', 'RIFF\x04\x00\x00\x00WEBPrest', 'image/webp'],
  ['another RIFF file', 'RIFF\x04\x00\x00\x00WAVErest', undefined],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
  ['GIF', 'GIF89a', undefined],
  ['no bytes', '', undefined],
])('the type of a picture follows from its first bytes: %s', (_what, bytes, type) => {
  expect(pictureTypeOf(Buffer.from(bytes, 'latin1'))).toBe(type)
})
