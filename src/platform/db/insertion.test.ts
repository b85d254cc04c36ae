import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { insertion } from './insertion.ts'

describeEachDatabase('the insert of a whole row', (databases) => {
  it('refuses a row with an unknown column, before and after valid rows', async () => {
    const db = await databases.open()
    const insertSecret = insertion('server_secrets')
    const row = (name: string) => ({ name, secret: Buffer.from('x') })
    const insert = (row: { name: string; secret: Uint8Array }) =>
      db.transaction((tx) => insertSecret(tx, row))
    const wrong = { ...row('wrong'), extra: 1 }
    await expect(insert(wrong)).rejects.toThrow('extra')
    expect(await insert(row('a'))).toBe(1)
    await expect(insert(wrong)).rejects.toThrow('extra')
    expect(await insert(row('b'))).toBe(1)
    const rows = await db.read.selectFrom('server_secrets').select('name').orderBy('name').execute()
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('keeps an existing row with the same key if `orIgnore` is set', async () => {
    const db = await databases.open()
    const insertSecret = insertion('server_secrets', { orIgnore: true })
    const insert = (text: string) =>
      db.transaction((tx) => insertSecret(tx, { name: 'same', secret: Buffer.from(text) }))
    expect([await insert('first'), await insert('second')]).toEqual([1, 0])
    const [row] = await db.read.selectFrom('server_secrets').select('secret').execute()
    expect(Buffer.from(row?.secret ?? []).toString()).toBe('first')
  })
})
