import { expect, it } from 'vitest'
import { extensions } from '../../src/contract/extensions.ts'
import { operations } from '../../src/operations.ts'
import { scenarioOperations } from '../support/official-client.ts'

it('the scenarios with the official client call every implemented operation of the published interface', () => {
  const published = Object.keys(operations).filter((id) => !(id in extensions))
  expect(Object.values(scenarioOperations).flat().sort()).toEqual(published.sort())
})
