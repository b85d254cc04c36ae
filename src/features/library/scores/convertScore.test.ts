import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { base64, musicXml } from '../../../../test/support/scores.ts'

const duo = musicXml({ title: 'Duo', parts: ['Violin', 'Piano'] })

describeApp('convertScore', (app) => {
  const convert = (format: string, data: string, more: object = {}) =>
    app.anonymous.post(`/conversions/${format}`, { data, ...more })

  it('converts a file for everyone, and keeps the uuids of a document in the JSON form', async () => {
    const json = await convert('json', base64(duo), { dataEncoding: 'base64' })
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json'])
    const document = Buffer.from(json.bytes).toString()
    const [part] = JSON.parse(document)['score-partwise'].part
    expect(part.$uuid).toMatch(/^[\da-f-]{36}$/)
    const again = await convert('json', document)
    expect(Buffer.from(again.bytes).toString()).toBe(document)
    const xml = await convert(`xml?parts=${part.$uuid}`, document)
    expect(Buffer.from(xml.bytes).toString()).toContain('<part-name>Violin</part-name>')
    expect(Buffer.from(xml.bytes).toString()).not.toContain('<part-name>Piano</part-name>')
  })

  it('engraves pages, and says how many there are', async () => {
    const page = await convert('svg', duo)
    expect([page.status, page.headers.get('x-partita-pages')]).toEqual([200, '1'])
    expect(Buffer.from(page.bytes).toString()).toContain('<svg')
    expect((await convert('svg?page=2', duo)).status).toBe(400)
  })

  it('stores nothing', async () => {
    const blobs = async () =>
      (
        await app.ctx.db.read
          .selectFrom('blobs')
          .select(({ fn }) => fn.countAll().as('count'))
          .execute()
      )[0]?.count
    const before = await blobs()
    expect((await convert('midi', duo)).status).toBe(200)
    expect(await blobs()).toBe(before)
  })

  it('refuses what is no score, and says why', async () => {
    const reply = await convert('json', '<score-partwise>')
    expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_MUSICXML'])
    expect((await convert('json', 'nonsense')).body.code).toBe('UNKNOWN_FORMAT')
  })

  it.each([
    ['a file above 2 MiB', 'xml', `${duo}${' '.repeat(2 * 1024 * 1024)}`, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a recording above five minutes',
      'mp3',
      musicXml({ measures: Array(151).fill('C4 D4 E4 F4') }),
      401,
      'EXPORT_NEEDS_ACCOUNT',
    ],
    ['WAV, whose files are large', 'wav', duo, 400, 'INVALID_PARAMETER'],
  ])('refuses %s', async (_what, format, data, status, code) => {
    const reply = await convert(format, data)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })
})
