import { verify } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { rejectionOf } from '../../../../test/support/failure.ts'
import { hashPassword, loadUserId, newAccount } from './accounts.ts'
import { insertUser } from './store.ts'

const id = '0123456789abcdef01234567'

describe('newAccount', () => {
  it.each(['me', 'ME', id, id.toUpperCase(), 'two words', ''])(
    'refuses the username %j',
    async (username) => {
      const refused = await rejectionOf(newAccount({ username, password: 'correct horse' }, id, 0))
      expect([refused.code, refused.param]).toEqual(['INVALID_PARAMETER', 'username'])
    },
  )

  it.each(['a@b.example', 'a＠b.example'])(
    'accepts %s as a username only if it is the address',
    async (username) => {
      const fields = { username, password: 'correct horse' }
      expect((await newAccount({ ...fields, email: 'A@b.example' }, id, 0)).username).toBe(username)
      for (const email of [undefined, 'c@b.example']) {
        expect((await rejectionOf(newAccount({ ...fields, email }, id, 0))).param).toBe('username')
      }
    },
  )

  it('stores a hash that only the password matches', async () => {
    const { password_hash } = await newAccount({ username: 'otto', password: 'correct horse' }, id, 0)
    expect(await verify(password_hash, 'correct horse')).toBe(true)
    expect(await verify(password_hash, 'wrong horse')).toBe(false)
  })
})

describe('hashPassword', () => {
  it('refuses a password of less than six characters', async () => {
    expect((await rejectionOf(hashPassword('short'))).param).toBe('password')
  })
})

describeEachDatabase('loadUserId', (databases) => {
  it('finds a user by id, and by username regardless of case and accents', async () => {
    const db = await databases.open()
    const user = await newAccount({ username: 'Zoë', password: 'correct horse' }, id, 0)
    await db.transaction((tx) => insertUser(tx, user))
    for (const name of [id, 'Zoë', 'zoe']) expect(await loadUserId(db.read, name)).toBe(id)
    for (const name of ['zo', id.replace('0', 'f')]) {
      expect((await rejectionOf(loadUserId(db.read, name))).code).toBe('USER_NOT_FOUND')
    }
  })
})
