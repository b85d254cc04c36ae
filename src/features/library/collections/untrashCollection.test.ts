import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'

describeApp('untrashCollection', (app) => {
  it('returns its own error code and a deprecation header for every collection', async () => {
    const otto = await app.person('otto')
    const active = await newCollection(app, otto, 'Kept')
    const trashed = await newCollection(app, otto, 'Trashed')
    await otto.delete(`/collections/${trashed}`)
    for (const id of [active, trashed, 'app', 'nonsense']) {
      const { status, body, headers } = await otto.post(`/collections/${id}/untrash`)
      expect([status, body.code]).toEqual([400, 'COLLECTION_UNTRASH_UNSUPPORTED'])
      expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    }
    expect((await otto.get('/collections?parent=trash')).body.map(({ id }: { id: string }) => id)).toEqual([
      trashed,
    ])
  })
})
