import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
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
  const priorities = readdirSync('/proc/self/task').map((thread) => niceOf(`/proc/self/task/${thread}/stat`))
  expect(priorities).toContain(Math.min(19, ownPriority + 10))
  expect(niceOf(`/proc/self/task/${process.pid}/stat`)).toBe(ownPriority)
})

/** Returns field 19 of proc_pid_stat(5). Field 2 is a name in parentheses that may contain spaces. */
function niceOf(stat: string): number {
  const text = readFileSync(stat, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
}
