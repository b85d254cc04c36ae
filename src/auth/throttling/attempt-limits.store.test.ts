import { createHmac, hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { sortKey } from '../../lib/sort-key.ts'

describeEachDatabase('the counters in the database', (databases) => {
  const app = useApp(databases)

  it('do not reveal the names that were tried without the key of the server', async () => {
    const name = 'otto@individual.example'
    const form = new URLSearchParams({ username: name, password: 'a guess' })
    expect((await fetch(`${app.url}/auth/signin`, { method: 'POST', body: form })).status).toBe(401)
    const { read } = app.ctx.db
    const counted = (await read.selectFrom('attempts').select('key').execute()).map(({ key }) => key)
    const guess = JSON.stringify(['sign-in', 'to', sortKey(name)])
    expect(counted).not.toContain(hash('sha256', guess, 'base64url'))
    const { secret } = await read
      .selectFrom('server_secrets')
      .select('secret')
      .where('name', '=', 'attempts')
      .executeTakeFirstOrThrow()
    expect(counted).toContain(createHmac('sha256', secret).update(guess).digest('base64url'))
  })
})
