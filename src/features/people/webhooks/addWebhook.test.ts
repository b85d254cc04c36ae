import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { maxWebhooks } from '../../../contract/webhook-limits.ts'

describeEachDatabase('addWebhook', (databases) => {
  const app = useApp(databases, { outgoingAllow: 'lms.school.example,10.1.0.0/16' })
  let school: School
  let ada: Client
  let sam: Client
  const url = 'https://one.example/hook'
  const ofAccount = { url, types: [], isOfOrganization: false }

  beforeAll(async () => {
    school = await makeSchool(app)
    ada = internalClient(await signedIn(app, school.ada))
    sam = internalClient(await signedIn(app, school.sam))
  })

  it('returns the secret once, and stores it encrypted', async () => {
    const { status, body } = await ada.post('/webhooks', {
      url,
      types: ['user.created'],
      isOfOrganization: true,
    })
    const { secret, ...shown } = body
    expect([status, secret]).toEqual([201, expect.stringMatching(/^whsec_[\w+/]{43}=$/)])
    expect(shown).toMatchObject({ url, types: ['user.created'], isOfOrganization: true, offReason: null })
    expect((await ada.get('/webhooks')).body).toEqual([shown])
    const [row] = await app.ctx.db.read.selectFrom('webhook_endpoints').selectAll().execute()
    const raw = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(Buffer.from(row?.secret ?? []).includes(raw)).toBe(false)
  })

  it('gives the events of the organization to administrators only, and no one the webhooks of others', async () => {
    const { status, body } = await sam.post('/webhooks', { ...ofAccount, isOfOrganization: true })
    expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    const own = (await sam.post('/webhooks', ofAccount)).body
    const [{ id: ofSchool }] = (await ada.get('/webhooks')).body
    expect((await sam.get('/webhooks')).body.map(({ id }: { id: string }) => id)).toEqual([own.id])
    for (const [client, id] of [
      [sam, ofSchool],
      [ada, own.id],
    ] as const)
      for (const reply of [
        await client.put(`/webhooks/${id}`, { isOn: false }),
        await client.delete(`/webhooks/${id}`),
        await client.post(`/webhooks/${id}/secret`),
        await client.post(`/webhooks/${id}/test`),
        await client.get(`/webhooks/${id}/deliveries`),
      ])
        expect([reply.status, reply.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
  })

  it.each([
    'http://one.example/',
    'ftp://one.example/',
    'https://user:secret@one.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'http://10.2.0.1/',
    'nonsense',
  ])('refuses the address %s', async (address) => {
    const { status, body } = await sam.post('/webhooks', { ...ofAccount, url: address })
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'url'])
  })

  it('refuses types that the events of the account do not have', async () => {
    const { status, body } = await sam.post('/webhooks', { ...ofAccount, types: ['user.created'] })
    expect([status, body.param]).toEqual([400, 'types'])
  })

  it('accepts what OUTGOING_ALLOW names, also by http, up to the maximum number', async () => {
    const sol = internalClient(await signedIn(app, school.sol))
    const urls = ['http://lms.school.example/hook', 'http://10.1.2.3:8080/', 'https://10.1.2.3/']
    for (const one of urls) expect((await sol.post('/webhooks', { ...ofAccount, url: one })).status).toBe(201)
    for (let more = urls.length; more < maxWebhooks; more++) await sol.post('/webhooks', ofAccount)
    const { status, body } = await sol.post('/webhooks', ofAccount)
    expect([status, body.code]).toEqual([403, 'TOO_MANY_WEBHOOKS'])
  })
})
