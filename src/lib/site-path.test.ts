import { expect, it } from 'vitest'
import { isPathOfThisSite } from './site-path.ts'

it.each([
  '/',
  '/a/b',
  '/a?next=https://x.example//y',
  '/auth/oauth?redirect_uri=https%3A%2F%2Fx',
  '/@x',
  '/:80',
])('%s is a path of this site', (path) => {
  expect(isPathOfThisSite(path)).toBe(true)
  expect(new URL(path, 'https://partita.example').origin).toBe('https://partita.example')
})

it.each(['', 'a', '//x', '/\\x', '\\/x', '/a//x', 'https://x', '/\t/x', '/a\r\nb', '/a?b\\c'])(
  '%j is none',
  (path) => {
    expect(isPathOfThisSite(path)).toBe(false)
  },
)
