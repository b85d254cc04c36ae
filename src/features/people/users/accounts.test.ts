import { verify } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { rejectionOf } from '../../../../test/support/failure.ts'
import { readConfig } from '../../../config.ts'
import { loadUserId, newAccount } from './accounts.ts'
import { insertUser } from './store.ts'

const id = '0123456789abcdef01234567'
const ctx = { config: readConfig({}, {}), clock: { now: () => 0 }, newId: () => id }

describe('newAccount', () => {
  it.each(['me', 'ME', id, id.toUpperCase(), 'two words', ''])(
    'refuses the username %j',
    async (username) => {
      const refused = await rejectionOf(newAccount(ctx, { username, password: 'correct horse' }))
      expect([refused.code, refused.param]).toEqual(['INVALID_PARAMETER', 'username'])
    },
  )

  it.each(['a@b.example', 'a＠b.example'])(
    'accepts %s as a username only if it is the address',
    async (username) => {
      const fields = { username, password: 'correct horse' }
      expect((await newAccount(ctx, { ...fields, email: 'A@b.example' })).username).toBe(username)
      for (const email of [undefined, 'c@b.example']) {
        expect((await rejectionOf(newAccount(ctx, { ...fields, email }))).param).toBe('username')
      }
    },
  )

  it('stores a hash that only the password matches', async () => {
    const { password_hash } = await newAccount(ctx, { username: 'otto', password: 'correct horse' })
    expect(await verify(password_hash, 'correct horse')).toBe(true)
    expect(await verify(password_hash, 'wrong horse')).toBe(false)
  })
})

describeEachDatabase('loadUserId', (databases) => {
  it('finds a user by id, and by username regardless of case and accents', async () => {
    const db = await databases.open()
    const user = await newAccount(ctx, { username: 'Zoë', password: 'correct horse' })
    await db.transaction((tx) => insertUser(tx, user))
    for (const name of [id, 'Zoë', 'zoe']) expect(await loadUserId(db.read, name)).toBe(id)
    for (const name of ['zo', id.replace('0', 'f')]) {
      expect((await rejectionOf(loadUserId(db.read, name))).code).toBe('USER_NOT_FOUND')
    }
  })
})
