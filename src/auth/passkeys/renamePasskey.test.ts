import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { usingDatabases } from '../../../test/support/databases.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import { newSignedInUser } from '../../../test/support/sessions.ts'

describe('renamePasskey', () => {
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' })

  it('renames an own passkey only', async () => {
    const [one, other] = [await newSignedInUser(app, 'rosa'), await newSignedInUser(app, 'ruth')]
    const { rowId } = await withPasskey(app, one.person)
    const path = `/security/passkeys/${rowId}`
    const account = internalClient(one.browser)
    expect((await account.put(path, { name: ' Blue key ' })).status).toBe(204)
    expect((await internalClient(other.browser).put(path, { name: 'Mine' })).body.code).toBe(
      'PASSKEY_NOT_FOUND',
    )
    const empty = await account.put(path, { name: ' ' })
    expect([empty.status, empty.body.param]).toEqual([400, 'name'])
    expect((await account.get('/security')).body.passkeys.list).toMatchObject([{ name: 'Blue key' }])
  })
})
