import { expect, it } from 'vitest'
import { formatBytes, parseBytes } from './byte-size.ts'

it.each([
  ['0', 0],
  ['1500', 1500],
  ['500MiB', 500 * 1024 ** 2],
  ['2 GiB', 2 * 1024 ** 3],
  ['1.5kib', 1536],
  ['1TiB', 1024 ** 4],
])('reads %s', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes)
})

it.each(['', 'GiB', '-1', '2GB', '2 G', '1e3', '9000000TiB', '1,5GiB'])('refuses "%s"', (text) => {
  expect(parseBytes(text)).toBeUndefined()
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [50 * 1024 ** 3, '50 GiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
