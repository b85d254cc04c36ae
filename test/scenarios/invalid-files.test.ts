import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { archiveOf, withDeclaredSize, withRenamedEntry } from '../support/archives.ts'
import { usingDatabases } from '../support/databases.ts'
import { base64, emptyPiano, largeMusicXml, musicXml } from '../support/scores.ts'

const good = musicXml()
const mebibyte = 1024 * 1024
const doctype = /<!DOCTYPE[^>]*>/

type File = string | Buffer | (() => Promise<Buffer>)
interface InvalidFile {
  what: string
  file: File
  code: string
  /** The part of the error message that names the problem and its position. */
  message: RegExp
  status?: number
}

const xml: InvalidFile[] = [
  {
    what: 'XML that ends too early',
    file: good.slice(0, -30),
    code: 'INVALID_MUSICXML',
    message: /line \d+/,
  },
  {
    what: 'XML that ends within a tag',
    file: good.slice(0, 700),
    code: 'INVALID_MUSICXML',
    message: /line \d+/,
  },
  {
    what: 'a tag that is not closed',
    file: good.replace('</note>', ''),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'a repeated attribute',
    file: good.replace('number="1"', 'number="1" number="1"'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'an undefined entity',
    file: good.replace('Four notes', '&nbsp;'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'a character that XML does not allow',
    file: good.replace('Four notes', '&#0;'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'an unpaired surrogate',
    file: good.replace('Four notes', '&#xD83C;'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'bytes that are not in its encoding',
    file: Buffer.from(good.replace('UTF-8', 'US-ASCII').replace('Four notes', 'é'), 'latin1'),
    code: 'INVALID_MUSICXML',
    message: /offset \d+ is not valid in US-ASCII/,
  },
  {
    what: 'an unknown encoding',
    file: Buffer.from(good.replace('UTF-8', 'klingon')),
    code: 'INVALID_MUSICXML',
    message: /klingon/i,
  },
  {
    what: 'XML that is not a score',
    file: '<?xml version="1.0"?><html><body/></html>',
    code: 'INVALID_MUSICXML',
    message: /html/,
  },
  {
    what: 'a score without measures',
    file: good.replace(/<measure.*<\/measure>/, ''),
    code: 'INVALID_MUSICXML',
    message: /no measure/,
  },
  {
    what: 'a score without parts',
    file: good.replace(/<part id[\s\S]*<\/part>/, ''),
    code: 'INVALID_MUSICXML',
    message: /no part/,
  },
  {
    what: 'XML 500,000 elements deep',
    file: `<score-partwise>${'<a>'.repeat(500_000)}`,
    code: 'INVALID_MUSICXML',
    message: /deep/,
  },
  {
    what: 'XML of a million elements',
    file: good.replace('<measure', `${'<p/>'.repeat(1_000_000)}<measure`),
    code: 'INVALID_MUSICXML',
    message: /elements/,
  },
  {
    what: 'XML of 11 MB',
    file: largeMusicXml(11 * mebibyte),
    code: 'PAYLOAD_TOO_LARGE',
    message: /\d+ bytes/,
    status: 413,
  },
]

const entities: InvalidFile[] = [
  {
    what: 'an external entity',
    file: good
      .replace(doctype, '<!DOCTYPE score-partwise [<!ENTITY e SYSTEM "file:///etc/passwd">]>')
      .replace('Four notes', '&e;'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
  {
    what: 'exponential entity expansion',
    file: good
      .replace(
        doctype,
        `<!DOCTYPE score-partwise [<!ENTITY l0 "ha">${Array.from(
          { length: 30 },
          (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
        ).join('')}]>`,
      )
      .replace('Four notes', '&l30;'),
    code: 'INVALID_MUSICXML',
    message: /line \d+/i,
  },
]

const values: InvalidFile[] = ['0', '-1', '1e308', 'NaN', '', '99999999999999999999', '١'].map((value) => ({
  what: `divisions of ${JSON.stringify(value)}`,
  file: good.replace('<divisions>1<', `<divisions>${value}<`),
  code: 'INVALID_MUSICXML',
  message: /divisions.*|line \d+/,
}))
values.push(
  ...['-1', '1e308', 'Infinity', '99999999999999999999'].map((value) => ({
    what: `a duration of ${JSON.stringify(value)}`,
    file: good.replace('<duration>1<', `<duration>${value}<`),
    code: 'INVALID_MUSICXML',
    message: /duration/,
  })),
  {
    what: 'a duration of a hundred years',
    file: good.replaceAll('<duration>1<', '<duration>999999999<'),
    code: 'INVALID_MUSICXML',
    message: /measure 1.*quarter notes/,
  },
)

const container = (path: string) =>
  `<container><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`

const archives: InvalidFile[] = [
  {
    what: 'an archive that is cut off',
    file: async () => (await archiveOf({ 'a.xml': good })).subarray(0, 300),
    code: 'INVALID_ARCHIVE',
    message: /archive/,
  },
  { what: 'an empty archive', file: () => archiveOf({}), code: 'INVALID_ARCHIVE', message: /empty/ },
  {
    what: 'an archive without a score',
    file: () => archiveOf({ 'readme.txt': 'hello' }),
    code: 'INVALID_ARCHIVE',
    message: /neither/,
  },
  {
    what: 'an archive that names a missing file',
    file: () => archiveOf({ 'META-INF/container.xml': container('gone.xml'), 'a.xml': good, 'b.xml': good }),
    code: 'INVALID_ARCHIVE',
    message: /gone\.xml/,
  },
  {
    what: 'an archive with a path out of it',
    file: async () => withRenamedEntry(await archiveOf({ 'xx/a.xml': good }), 'xx/a.xml', '../a.xml'),
    code: 'INVALID_ARCHIVE',
    message: /entry 1/i,
  },
  {
    what: 'an archive with an absolute path',
    file: async () => withRenamedEntry(await archiveOf({ 'xx/a.xml': good }), 'xx/a.xml', '/x/a.xml'),
    code: 'INVALID_ARCHIVE',
    message: /entry 1/i,
  },
  {
    what: 'a zip bomb',
    file: () => archiveOf({ 'a.xml': new Uint8Array(65 * mebibyte) }),
    code: 'PAYLOAD_TOO_LARGE',
    message: /a\.xml.*\d+ bytes/,
    status: 413,
  },
  {
    what: 'a zip bomb with a false, small size',
    file: async () => withDeclaredSize(await archiveOf({ 'a.xml': new Uint8Array(20 * mebibyte) }), 1000),
    code: 'INVALID_ARCHIVE',
    message: /a\.xml/,
  },
  {
    what: 'an archive with a false, larger size',
    file: async () => withDeclaredSize(await archiveOf({ 'a.xml': good }), 5 * mebibyte),
    code: 'INVALID_ARCHIVE',
    message: /a\.xml/,
  },
  {
    what: 'an archive whose content was changed',
    file: async () => {
      const archive = await archiveOf({ 'a.xml': good })
      const at = archive.indexOf('PK\x01\x02', 0, 'latin1') - 40
      return Buffer.concat([
        archive.subarray(0, at),
        Buffer.from([archive[at] ?? 0].map((b) => b ^ 0x55)),
        archive.subarray(at + 1),
      ])
    },
    code: 'INVALID_ARCHIVE',
    message: /a\.xml/,
  },
  {
    what: 'an archive with XML of 65 MB in it',
    file: () => archiveOf({ 'a.xml': good + ' '.repeat(64 * mebibyte) }),
    code: 'PAYLOAD_TOO_LARGE',
    message: /a\.xml.*\d+ bytes/,
    status: 413,
  },
  {
    what: 'an archive in an archive',
    file: async () => archiveOf({ 'a.xml': await archiveOf({ 'b.xml': good }) }),
    code: 'INVALID_MUSICXML',
    message: /line \d+|byte|encod/i,
  },
]

const json: InvalidFile[] = [
  {
    what: 'JSON that ends too early',
    file: '{"score-partwise":{"part":',
    code: 'INVALID_SCORE_JSON',
    message: /JSON/,
  },
  {
    what: 'JSON that is not a score',
    file: '{"hello":"world"}',
    code: 'INVALID_SCORE_JSON',
    message: /score-partwise/,
  },
  {
    what: 'JSON 500,000 brackets deep',
    file: `{"score-partwise":${'['.repeat(500_000)}`,
    code: 'INVALID_SCORE_JSON',
    message: /deep at character \d+/,
  },
  {
    what: 'JSON with U+0000',
    file: '{"score-partwise":{"work":{"work-title":"a\\u0000b"}}}',
    code: 'INVALID_SCORE_JSON',
    message: /work-title.*character/,
  },
  {
    what: 'JSON that is not UTF-8',
    file: Buffer.from('{"score-partwise":{"work":\n{"work-title":"\xe9"}}}', 'latin1'),
    code: 'INVALID_SCORE_JSON',
    message: /^Line 2: /,
  },
  {
    what: 'JSON with a number for an element',
    file: '{"score-partwise":{"part":[{"measure":1}]}}',
    code: 'INVALID_SCORE_JSON',
    message: /part\[0\]\.measure/,
  },
  {
    what: 'JSON without measures',
    file: '{"score-partwise":{"part":[{"$id":"P1"}]}}',
    code: 'INVALID_SCORE_JSON',
    message: /no measure/,
  },
]

const others: InvalidFile[] = [
  { what: 'an empty file', file: Buffer.alloc(0), code: 'UNKNOWN_FORMAT', message: /./ },
  { what: 'white space', file: ' \n\t', code: 'UNKNOWN_FORMAT', message: /./ },
  {
    what: 'a PNG',
    file: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    code: 'UNKNOWN_FORMAT',
    message: /./,
  },
  {
    what: 'a text',
    file: 'Dear server, please find my score attached.',
    code: 'UNKNOWN_FORMAT',
    message: /./,
  },
  {
    what: 'random bytes',
    file: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + (i >> 3)) & 0xff)),
    code: 'UNKNOWN_FORMAT',
    message: /./,
  },
  {
    what: 'a MIDI file without tracks',
    file: Buffer.from('MThd\0\0\0\x06\0\x01\0\0\x01\xe0', 'latin1'),
    code: 'INVALID_MIDI',
    message: /./,
  },
  {
    what: 'a MIDI file that is cut off',
    file: Buffer.from('MThd\0\0\0\x06\0\x01\0\x01\x01\xe0MTrk\0\0\x10\0', 'latin1'),
    code: 'INVALID_MIDI',
    message: /./,
  },
  { what: 'half a MIDI header', file: Buffer.from('MThd\0\0', 'latin1'), code: 'INVALID_MIDI', message: /./ },
  {
    what: 'a Guitar Pro file, which cannot be read yet',
    file: Buffer.from('\x18FICHIER GUITAR PRO v5.00', 'latin1'),
    code: 'FORMAT_NOT_SUPPORTED',
    message: /Guitar Pro/,
  },
  {
    what: 'a tune in ABC, which cannot be read yet',
    file: 'X:1\nT:Tune\nK:C\nCDEF|\n',
    code: 'FORMAT_NOT_SUPPORTED',
    message: /ABC/,
  },
]

const bytesOf = async (file: File) => (typeof file === 'function' ? file() : Buffer.from(file))

describe('an invalid score file', () => {
  const app = useApp(usingDatabases('sqlite'))
  let otto: Person
  let visited: string[]
  let decoyServer: Server

  beforeAll(async () => {
    otto = await app.person('otto')
    visited = []
    decoyServer = createServer((request, response) => {
      visited.push(request.url ?? '')
      response.end('<!ENTITY e "fetched">')
    })
    await new Promise<void>((resolve) => decoyServer.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => decoyServer.close())

  for (const [kind, cases] of Object.entries({ xml, entities, values, archives, json, others })) {
    describe(kind, () => {
      it.each(cases)('$what: $code', async ({ file, code, message, status = 400 }) => {
        const data = base64(await bytesOf(file))
        const reply = await otto.post('/scores', { data, dataEncoding: 'base64', filename: 'score.xml' })
        expect([reply.status, reply.body.code]).toEqual([status, code])
        expect(reply.body.message).toMatch(message)
        expect(reply.body.message).not.toMatch(/root:|node_modules|undefined\b(?! entity)|\[object/)
        expect(reply.body.message.length).toBeLessThan(500)
      })
    })
  }

  it('causes the same error when it is sent as text', async () => {
    for (const { file, code, status = 400 } of [...xml, ...entities, ...values, ...json]) {
      if (typeof file !== 'string') continue
      const reply = await otto.post('/scores', { data: file })
      expect([reply.status, reply.body.code]).toEqual([status, code])
    }
  })

  it('does not make the server request a URL', async () => {
    const { port } = decoyServer.address() as { port: number }
    const url = `http://127.0.0.1:${port}`
    for (const declared of [
      `<!DOCTYPE score-partwise SYSTEM "${url}/dtd">`,
      `<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "${url}/public">`,
      `<!DOCTYPE score-partwise [<!ENTITY % p SYSTEM "${url}/parameter"> %p;]>`,
      `<!DOCTYPE score-partwise [<!ENTITY e SYSTEM "${url}/entity">]>`,
    ]) {
      const { status } = await otto.post('/scores', {
        data: good.replace(doctype, declared).replace('Four notes', '&e;'),
      })
      expect(status).toBe(400)
    }
    const styled = good.replace(
      '<score-partwise',
      `<?xml-stylesheet href="${url}/style.xsl"?><score-partwise`,
    )
    expect((await otto.post('/scores', { data: styled, collection: 'nonsense' })).status).toBe(404)
    expect(visited).toEqual([])
  })

  it('leaves no data behind, and a valid file is then accepted', async () => {
    expect((await otto.get('/collections/allScores/scores')).body).toEqual([])
    const appCollections = (await otto.get('/collections')).body.filter(
      ({ type }: { type: string }) => type === 'app',
    )
    expect(appCollections).toEqual([])
    expect((await otto.post('/scores', { data: good })).status).toBe(200)
  })

  it('is refused as a revision and does not change the score', async () => {
    const { id } = (await otto.post('/scores', emptyPiano())).body
    const before = (await otto.get(`/scores/${id}`)).body
    for (const { file, code, status = 400 } of [...archives, ...others]) {
      const sent = { data: base64(await bytesOf(file)), dataEncoding: 'base64' }
      const reply = await otto.post(`/scores/${id}/revisions`, sent)
      expect([reply.status, reply.body.code]).toEqual([status, code])
    }
    expect((await otto.get(`/scores/${id}/revisions`)).body).toHaveLength(1)
    expect((await otto.get(`/scores/${id}`)).body).toEqual(before)
  })
})
