import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-context.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the password of `user create`', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
  })
  afterAll(() => rm(dataDir, { recursive: true }))

  async function createUser(username: string, input: string, ...more: string[]) {
    const words = ['bin/partita.js', 'user', 'create', '--data-dir', dataDir, '--username', username, ...more]
    const child = spawn(process.execPath, words, { cwd: root })
    child.stdin.end(input)
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code, stderr }
  }

  async function isPasswordOf(username: string, password: string): Promise<boolean> {
    const { db } = await openStorage(readConfig({ dataDir }))
    try {
      const users = db.read.selectFrom('users').select('password_hash').where('username', '=', username)
      return verify((await users.executeTakeFirstOrThrow()).password_hash, password)
    } finally {
      await db.close()
    }
  }

  it('is the first line of standard input if it is not an argument', async () => {
    expect(await createUser('tess', 'a long one\nand more\n')).toEqual({ code: 0, stderr: '' })
    expect(await isPasswordOf('tess', 'a long one')).toBe(true)
  })

  it('is the argument if there is one, regardless of standard input', async () => {
    expect(await createUser('sam', 'something else\n', '--password', 'a long one')).toEqual({
      code: 0,
      stderr: '',
    })
    expect(await isPasswordOf('sam', 'a long one')).toBe(true)
  })

  it.each(['', '\n'])('is reported as missing if standard input has none: %j', async (input) => {
    const { code, stderr } = await createUser('otto', input)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^partita: A password is missing\. .+\n$/)
  })
})
