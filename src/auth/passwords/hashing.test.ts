import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { mainThreadPriority, threadPriorities } from '../../../test/support/thread-priorities.ts'
import { hashOf, isHashOf } from './hashing.ts'

it('hashes with a random salt and verifies passwords', async () => {
  const [one, other] = await Promise.all([hashOf('correct horse'), hashOf('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(other).not.toBe(one)
  expect(await Promise.all([isHashOf(one, 'correct horse'), isHashOf(other, 'correct horse')])).toEqual([
    true,
    true,
  ])
  expect(await isHashOf(one, 'Correct horse')).toBe(false)
})

it('continues after an invalid hash', async () => {
  await expect(isHashOf('$argon2id$cut', 'correct horse')).rejects.toThrow()
  expect(await isHashOf(await hashOf('correct horse'), 'correct horse')).toBe(true)
})

it.runIf(process.platform === 'linux')('gives way to the event loop, which keeps its priority', async () => {
  await hashOf('correct horse')
  const ownPriority = getPriority()
  expect(threadPriorities()).toContain(Math.min(19, ownPriority + 10))
  expect(mainThreadPriority()).toBe(ownPriority)
})
