import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { HostError } from '../../src/engines/hosts/host.ts'
import { Failure } from '../../src/errors.ts'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { logLines } from '../support/log-lines.ts'
import { base64, musicXml } from '../support/scores.ts'

const canary = 'Kanarienvogel'
const log = logLines()
const app = useApp(usingDatabases('sqlite'), { logLevel: 'trace' }, { logTo: log })
let ines: Person

beforeAll(async () => {
  ines = await app.person('ines')
})
afterEach(() => vi.restoreAllMocks())

/** A score with the canary in every kind of text that engines see. */
const texts = `<direction><direction-type><words>${canary}</words></direction-type></direction>
  <direction><direction-type><rehearsal>${canary}</rehearsal></direction-type></direction>
  <harmony><root><root-step text="${canary}">C</root-step></root><kind text="${canary}">major</kind></harmony>`
const lyric = `<lyric><syllabic>single</syllabic><text>${canary}</text></lyric></note>`
const score = musicXml({ title: canary, composer: canary, parts: [canary] })
  .replace('</attributes>', `</attributes>${texts}`)
  .replaceAll('</note>', lyric)
  .replace('</identification>', `<rights>${canary}</rights></identification>`)

const formats = ['json', 'xml', 'mxl', 'midi', 'synchronizationPoints', 'pdf', 'svg', 'thumbnail.png', 'mp3']

/** Creates a score whose fields have the canary as well. */
const save = (data: string, rest: object = {}) =>
  ines.post('/scores', { title: canary, filename: `${canary}.mid`, data, ...rest })

function expectNoCanary(): void {
  const text = log.text()
  expect(text.length).toBeGreaterThan(0)
  expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
}

it('the texts of a score are not logged when it is imported, engraved and played', {
  timeout: 120_000,
}, async () => {
  const { id } = (await save(score)).body
  const path = `/scores/${id}/revisions/last`
  for (const format of formats)
    expect([format, (await ines.get(`${path}/${format}`)).status]).toEqual([format, 200])
  const midi = base64((await ines.get(`${path}/midi`)).bytes)
  expect((await save(midi, { dataEncoding: 'base64' })).status).toBe(200)
  expect((await ines.post(`${path}/wav/task`, {})).status).toBe(200)
  await app.jobsDone()
  expectNoCanary()
})

it.each([
  ['broken XML', score.replace('</part-list>', '')],
  ['broken JSON', JSON.stringify({ 'score-partwise': canary })],
  ['MIDI that is cut', `MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\xff\xff\0\xff\x03\x0d${canary}`],
  ['no score', canary],
])('the texts of a file that is refused are not logged: %s', async (_kind, data) => {
  for (const rest of [{}, { supportsTasks: true }]) {
    const encoded = { data: base64(Buffer.from(data, 'latin1')), dataEncoding: 'base64' as const }
    expect((await save(encoded.data, { ...encoded, ...rest })).status).toBe(400)
  }
  expectNoCanary()
})

it('the texts of a score are not logged when it cannot be engraved', async () => {
  const words = `<direction><direction-type><words>${canary}</words></direction-type></direction>`
  const { id } = (await save(score.replace('</attributes>', `</attributes>${words.repeat(1001)}`))).body
  const path = `/scores/${id}/revisions/last`
  for (const format of ['pdf', 'svg', 'thumbnail.png'])
    expect((await ines.get(`${path}/${format}`)).status).toBe(400)
  const task = (await ines.post(`${path}/pdf/task`, {})).body.id
  await app.jobsDone()
  expect((await ines.get(`/tasks/${task}`)).body.state).toBe('error')
  expectNoCanary()
})

it('the title of a score is not logged when an engine breaks on it, as a request and as a task', async () => {
  app.expectLog(/ENGINE_UNAVAILABLE|a job failed/)
  const { id } = (await save(score)).body
  const path = `/scores/${id}/revisions/last`
  const broken = new HostError('It ended with SIGSEGV.')
  for (const [code, format] of [
    ['SCORE_NOT_RENDERABLE', 'pdf'],
    ['ENGINE_UNAVAILABLE', 'svg'],
  ] as const) {
    vi.spyOn(app.ctx.notation, 'write').mockRejectedValue(new Failure(code, { cause: broken }))
    expect((await ines.get(`${path}/${format}`)).status).toBeGreaterThanOrEqual(400)
    await ines.post(`${path}/mp3/task`, {})
    await app.jobsDone()
  }
  expectNoCanary()
})
