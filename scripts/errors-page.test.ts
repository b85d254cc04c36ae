import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catalogue } from '../src/errors.ts'
import { errorsPage } from './errors-page.ts'

it('docs/errors.md matches the error catalogue (`npm run docs:errors` updates it)', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8')).toBe(errorsPage(catalogue))
})
