import { expect, it } from 'vitest'
import { beliefs } from './beliefs.ts'

it('asks once in five seconds', async () => {
  const whose = beliefs<string>()
  expect(whose.believed('token', 0)).toBeUndefined()
  expect(await whose.ask('token', 0, async () => 'Tess')).toBe('Tess')
  expect(whose.believed('token', 4999)).toBe('Tess')
  expect(whose.believed('token', 5000)).toBeUndefined()
})

it('believes nothing where there is no answer', async () => {
  const whose = beliefs<string>()
  expect(await whose.ask('token', 0, async () => undefined)).toBeUndefined()
  expect(whose.believed('token', 0)).toBeUndefined()
})

it('keeps no answer that was found before all was forgotten', async () => {
  const whose = beliefs<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  const asking = whose.ask('token', 0, () => promise)
  whose.forget()
  resolve('Tess')
  expect(await asking).toBe('Tess')
  expect(whose.believed('token', 0)).toBeUndefined()
})
