import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { send } from '../support/http.ts'
import { musicXml } from '../support/scores.ts'

const app = useApp(usingDatabases('sqlite'))
let score: string

beforeAll(async () => {
  const otto = await app.person('otto')
  score = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body.id
})

/** Sends the request as it is: the client of the tests would read JSON. */
async function fileIn(format: string, headers: Record<string, string>) {
  const response = await send(`${app.url}/v2/scores/${score}/revisions/last/${format}`, { headers })
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

it.each(['svg', 'xml', 'json', 'noteTimes', 'abc'])(
  'compresses the file in the format %s for a client that accepts it',
  async (format) => {
    const plain = await fileIn(format, {})
    const compressed = await fileIn(format, { 'Accept-Encoding': 'br, gzip' })
    const encodingOf = ({ headers }: typeof plain) => [headers.get('content-encoding'), headers.get('vary')]
    expect([plain, compressed].map(encodingOf)).toEqual([
      [null, 'Accept-Encoding'],
      ['gzip', 'Accept-Encoding'],
    ])
    expect(gunzipSync(compressed.bytes)).toEqual(Buffer.from(plain.bytes))
    expect(plain.headers.get('content-length')).toBe(String(plain.bytes.length))

    // The bytes differ, so the tag is weak.
    const tag = compressed.headers.get('etag') ?? ''
    expect(tag).toBe(`W/${plain.headers.get('etag')}`)
    const again = await fileIn(format, { 'Accept-Encoding': 'br, gzip', 'If-None-Match': tag })
    expect([again.status, again.headers.get('etag')]).toEqual([304, tag])
  },
)

it.each([
  ['midi', 'gzip'],
  ['mxl', 'gzip'],
  ['xml', 'gzip;q=0'],
])('sends the file in the format %s as it is to a client that accepts %s', async (format, accepted) => {
  const { bytes, headers } = await fileIn(format, { 'Accept-Encoding': accepted })
  expect(headers.get('content-encoding')).toBeNull()
  expect(headers.get('content-length')).toBe(String(bytes.length))
})
