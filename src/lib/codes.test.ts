import { expect, it } from 'vitest'
import { newCode } from './codes.ts'

it('makes codes without letters and digits that look alike', () => {
  const codes = Array.from({ length: 1000 }, () => newCode(8))
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{8}$/)
  expect(new Set(codes).size).toBe(1000)
})
