import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../../src/lib/once.ts'
import { archiveOf } from '../support/archives.ts'
import type { Client, Reply } from '../support/client.ts'
import { base64, musicXml } from '../support/scores.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const mebibyte = 1024 * 1024
/** The maximum size of a file minus room for the rest of the document, in bytes. */
const maxFileContent = 10 * mebibyte - 10_000

/** Repeats a piece until it fills the file, or the given number of bytes. */
const filled = (piece: string, bytes = maxFileContent) =>
  piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))
/** Generates distinct pieces until they fill the file. */
function distinct(piece: (n: string) => string): string {
  const pieces: string[] = []
  for (let n = 0, bytes = 0; bytes < maxFileContent; n++) {
    const next = piece(`n${n.toString(36)}`)
    pieces.push(next)
    bytes += next.length
  }
  return pieces.join('')
}
const head = '<score-partwise version="4.0">'
const attributes = Array.from({ length: 127 }, (_, i) => `a${i}=""`).join(' ')
const note =
  '<note><pitch><step>C</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type></note>'

/** Files that are as expensive to parse as possible, with the expected error. */
const files: Array<
  [what: string, file: () => string | Buffer | Promise<Buffer>, code: string, message: RegExp]
> = [
  [
    'millions of elements',
    () => head + filled('<p/>'),
    'INVALID_MUSICXML',
    /^Line 1, column \d+: .*elements/,
  ],
  [
    '600,000 elements with an error at the end',
    () => `${head}${'<p a=""/>'.repeat(599_000)}</q>`,
    'INVALID_MUSICXML',
    /^Line 1,/,
  ],
  [
    'music with an error at the end',
    () => `${head}<part><measure>${filled(note)}</q>`,
    'INVALID_MUSICXML',
    /^Line 1,/,
  ],
  ['many attributes', () => head + filled(`<p ${attributes}/>`), 'INVALID_MUSICXML', /^Line 1, .*attributes/],
  [
    'one element with many attributes',
    () => `${head}<p ${distinct((n) => `${n}="" `)}/>`,
    'INVALID_MUSICXML',
    /attributes/,
  ],
  [
    'names of unlimited length',
    () => head + distinct((n) => `<${n}/>`),
    'INVALID_MUSICXML',
    /different names/,
  ],
  [
    'carriage returns',
    () => head + filled('\r'),
    'INVALID_MUSICXML',
    /^Line \d{7,}, column 0: the file ends inside/,
  ],
  [
    'line breaks in an attribute',
    () => `${head}<p a="${filled('\r\n')}"/></q>`,
    'INVALID_MUSICXML',
    /^Line \d{7}/,
  ],
  ['references', () => `${head}<p>${filled('&#38;')}</q>`, 'INVALID_MUSICXML', /more than 600000 references/],
  [
    'many CDATA sections',
    () => `${head}<p>${filled('<![CDATA[x]]>')}</q>`,
    'INVALID_MUSICXML',
    /another element/,
  ],
  ['comments', () => `${head}<p>x${filled('<!---->x')}</q>`, 'INVALID_MUSICXML', /another element is closed/],
  [
    'many quotes in a DOCTYPE',
    () => `<!DOCTYPE a [${filled('"')}]>${head}`,
    'INVALID_MUSICXML',
    /DOCTYPE is longer/,
  ],
  [
    'UTF-7',
    () => `<?xml version="1.0" encoding="utf-7"?>${filled('+AGE-')}`,
    'INVALID_MUSICXML',
    /utf-7, which is not/,
  ],
  [
    'UTF-16',
    () => Buffer.from(`\ufeff${head}${filled('<p/>', maxFileContent / 2)}`, 'utf16le'),
    'INVALID_MUSICXML',
    /elements/,
  ],
  [
    'a small archive of large files',
    () => archiveOf({ 'a.xml': head + filled('<p/>') }),
    'INVALID_MUSICXML',
    /elements/,
  ],
  [
    'parts that are missing in most measures',
    () => `<score-timewise>${distinct((n) => `<measure><part id="${n}"/></measure>`)}</score-timewise>`,
    'INVALID_MUSICXML',
    /^Up to measure 1 of its \d+, the time-wise score has more than 200000 measures/,
  ],
  [
    'JSON of brackets',
    () => `{"score-partwise":${'['.repeat(500_000)}`,
    'INVALID_SCORE_JSON',
    /deep at character \d+/,
  ],
  [
    'JSON of strings',
    () => `{"score-partwise":{"a":[${filled('"",')}""]}}`,
    'INVALID_SCORE_JSON',
    /values at character/,
  ],
  [
    'JSON of objects',
    () => `{"score-partwise":{"a":[${filled('{},')}{}]}}`,
    'INVALID_SCORE_JSON',
    /elements at char/,
  ],
  [
    'JSON of keys',
    () => `{"score-partwise":{${distinct((n) => `"${n}":"",`)}}}`,
    'INVALID_SCORE_JSON',
    /keys at character/,
  ],
]

/** Request bodies that are expensive to parse. */
const bodies: Array<[what: string, body: () => string, message: RegExp]> = [
  ['a body of numbers', () => `{"data":[${'1,'.repeat(7 * mebibyte)}1]}`, /values at character \d+/],
  ['a body of keys', () => `{${distinct((n) => `"${n}":[],`)}}`, /values at character \d+/],
  ['a body of brackets', () => '['.repeat(15 * mebibyte), /deeper than 64 at character 65/],
]

/**
 * Limits for the resident memory of the server: two parser threads, the upload that each parses, and the
 * queued uploads.
 */
const maxMemorySequential = 1024 * mebibyte
const maxMemoryConcurrent = 1792 * mebibyte

describe('hostile uploads', () => {
  let folder: string
  let server: ServerProcess
  let otto: Client
  /** Each can have two large uploads at once: more would exceed its share of the body memory and of the waiting work. */
  let clients: Client[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
    server = await startServerProcess({ DATA_DIR: folder })
    otto = await server.person('otto')
    clients = [otto]
    for (const name of ['olga', 'oskar', 'odile', 'orla', 'omar']) clients.push(await server.person(name))
  })
  afterAll(async () => {
    await server?.kill()
    await rm(folder, { recursive: true, force: true })
  })

  /** Returns a function that sends a body, which is made once for all tests. */
  function sending(makeBody: () => string | Promise<string>) {
    const prepared = once(async () => Buffer.from(await makeBody()))
    const headers = { 'Content-Type': 'application/json' }
    return async (client: Client) =>
      client.request('POST', '/scores', undefined, { body: await prepared(), headers })
  }
  const uploads = [
    ...files.map(([what, file, code, message]) => {
      const send = sending(async () => JSON.stringify({ data: base64(await file()), dataEncoding: 'base64' }))
      return { what, send, code, message }
    }),
    ...bodies.map(([what, body, message]) => ({ what, send: sending(body), code: 'INVALID_JSON', message })),
  ]
  const expectRefusal = ({ what, code, message }: (typeof uploads)[number], reply: Reply) => {
    expect([what, reply.status, reply.body.code]).toEqual([what, 400, code])
    expect(reply.body.message, what).toMatch(message)
  }
  async function expectPeakBelow(bytes: number, ctx: { skip(why: string): void }): Promise<void> {
    const peak = await server.peakMemory()
    if (peak === undefined) ctx.skip('SKIPPED: only Linux tells how much memory a process has had')
    expect(peak).toBeLessThan(bytes)
  }

  it('are refused one after another in bounded memory, with the problem and its position', async (ctx) => {
    for (const upload of uploads) expectRefusal(upload, await upload.send(otto))
    await expectPeakBelow(maxMemorySequential, ctx)
  }, 120_000)

  it('are refused simultaneously in bounded memory', async (ctx) => {
    const waiting = [...uploads]
    const sender = async (client: Client) => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        expectRefusal(next, await next.send(client))
    }
    await Promise.all([...clients, ...clients].map(sender))
    await expectPeakBelow(maxMemoryConcurrent, ctx)
  }, 120_000)

  it('leave no data behind, and a valid file is then accepted', async () => {
    expect((await otto.get('/collections/allScores/scores')).body).toEqual([])
    const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.isFile())).toEqual([])
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
  })
})
