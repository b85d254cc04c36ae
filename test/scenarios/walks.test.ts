import { expect, it } from 'vitest'
import { extensions } from '../../src/contract/extensions.ts'
import { operations } from '../../src/operations.ts'
import { walks } from '../support/official-client.ts'

it('walks every published operation that is built, by the official client', () => {
  const published = Object.keys(operations).filter((id) => !(id in extensions))
  expect(Object.values(walks).flat().sort()).toEqual(published.sort())
})
