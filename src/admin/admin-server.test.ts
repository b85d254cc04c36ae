import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { hasPromtool, promtool, readMetrics, type ReadMetrics } from '../../test/support/metrics.ts'
import { freePort, runCommand } from '../../test/support/program.ts'
import { musicXml } from '../../test/support/scores.ts'
import { operations } from '../operations.ts'
import { lanes } from '../platform/queue/lanes.ts'

const adminPort = String(await freePort())
const address = `http://127.0.0.1:${adminPort}`
const openMetrics = 'application/openmetrics-text; version=1.0.0, text/plain;q=0.5'

describeEachDatabase('the admin address', (databases) => {
  // No worker takes the jobs.
  const app = useApp(databases, { adminPort, role: 'api', engineProcesses: '4', rateLimitAnonymous: '7' })
  let metrics: ReadMetrics
  let score: string
  beforeAll(async () => {
    const nora = await app.person('nora', { password: 'a long one' })
    score = (await nora.post('/scores', { data: musicXml() })).body.id
    for (const id of [score, score, 'unknown']) await nora.get(`/scores/${id}`)
    await nora.get(`/scores/${score}/unknown`)
    await app.anonymous.get('/scores/other')
    const signIn = (username: string) =>
      fetch(`${app.url}/auth/signin`, {
        method: 'POST',
        body: new URLSearchParams({ username, password: 'guess' }),
      })
    expect((await signIn('nora')).status).toBe(401)
    for (let left = 10; left > 0; left--) expect((await signIn('iris')).status).toBe(401)
    expect((await signIn('iris')).status).toBe(429)
    for (let left = 7; left > 0; left--) await app.anonymous.get('/users/me')
    const mail = {
      kind: 'send-account-notice',
      payload: { user: nora.id, notice: 'passwordSet', language: 'en' },
    } as const
    await app.ctx.transaction((tx) => app.ctx.jobs.enqueue(tx, mail))
    metrics = await readMetrics(address)
  })

  it('counts requests by operation and status', () => {
    expect(metrics.value('partita_requests_total{operation="createScore",status="200"}')).toBe(1)
    expect(metrics.value('partita_requests_total{operation="getScore",status="200"}')).toBe(2)
    expect(metrics.value('partita_requests_total{operation="getScore",status="404"}')).toBe(2)
    expect(metrics.value('partita_requests_total{operation="unknown",status="404"}')).toBe(1)
    expect(metrics.value('partita_requests_total{operation="page",status="401"}')).toBe(11)
  })

  it('counts durations in cumulative buckets', () => {
    const bucket = (le: string) =>
      metrics.value(`partita_request_duration_seconds_bucket{operation="getScore",le="${le}"}`) ?? Number.NaN
    const counts = [...metrics.labels('partita_request_duration_seconds_bucket', 'le')].map(bucket)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(4)
    expect(metrics.value('partita_request_duration_seconds_count{operation="getScore"}')).toBe(4)
    expect(metrics.value('partita_request_duration_seconds_sum{operation="getScore"}')).toBeGreaterThan(0)
  })

  it('has no label with an id of a URL', () => {
    expect(metrics.text).not.toContain(score)
    const names = new Set(['page', 'unknown', ...Object.keys(operations)])
    expect(
      [...metrics.labels('partita_requests_total', 'operation')].filter((name) => !names.has(name)),
    ).toEqual([])
  })

  it('counts errors by code, among them refusals of a quota', () => {
    expect(metrics.value('partita_errors_total{code="SCORE_NOT_FOUND"}')).toBe(2)
    expect(metrics.value('partita_errors_total{code="API_RATE_LIMIT_EXCEEDED"}')).toBe(1)
    expect(metrics.value('partita_errors_total{code="TOO_MANY_ATTEMPTS"}')).toBe(1)
  })

  it('counts failed sign-ins', () => {
    expect(metrics.value('partita_failed_sign_ins_total{step="password"}')).toBe(11)
  })

  it('shows the waiting jobs of each lane', () => {
    expect([...metrics.labels('partita_jobs_waiting', 'lane')]).toEqual([...lanes])
    expect(metrics.value('partita_jobs_waiting{lane="mail"}')).toBe(1)
    expect(metrics.value('partita_jobs_waiting{lane="export"}')).toBe(0)
    expect(metrics.value('partita_jobs_running{lane="mail"}')).toBe(0)
    expect(metrics.value('partita_jobs_oldest_age_seconds{lane="mail"}')).toBeGreaterThanOrEqual(0)
  })

  it('shows the engines and their limits', () => {
    expect(metrics.value('partita_engines_max{kind="audio"}')).toBe(4)
    expect(metrics.value('partita_engines{kind="webmscore",state="busy"}')).toBe(0)
    // The thread that read the new score.
    expect(metrics.value('partita_engines{kind="threads",state="idle"}')).toBe(1)
    expect(metrics.value('partita_engine_queue_length{kind="threads"}')).toBe(0)
  })

  it('shows the database', () => {
    const { dialect } = app.ctx.db
    expect(metrics.value(`partita_info{role="api",database="${dialect}"}`)).toBe(1)
    expect(metrics.value('partita_database_up')).toBe(1)
    expect(metrics.value('partita_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(metrics.value('partita_database_group_transactions_count')).toBeGreaterThan(0)
    expect(metrics.value('partita_database_waiting_transactions')).toBe(0)
  })

  it('shows the size of all blobs and of the disk', async () => {
    const sizes = await app.ctx.db.read.selectFrom('blobs').select('size').execute()
    expect(sizes.length).toBeGreaterThan(0)
    expect(metrics.value('partita_blob_bytes')).toBe(sizes.reduce((sum, { size }) => sum + size, 0))
    expect(metrics.value('partita_disk_free_bytes')).toBeGreaterThan(0)
  })

  it('shows the process and its event loop', () => {
    expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(metrics.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  it('sends OpenMetrics on request, with the same series', async () => {
    const other = await readMetrics(address, openMetrics)
    expect(metrics.type).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(other.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(other.text).toMatch(/\n# EOF\n$/)
    expect(other.types.get('partita_requests')).toBe('counter')
    expect([...other.types.keys()].filter((name) => name.endsWith('_total'))).toEqual([])
    expect([...other.types.keys()]).toEqual(
      [...metrics.types.keys()].map((name) => name.replace(/_total$/, '')),
    )
    expect(other.value('partita_requests_total{operation="getScore",status="200"}')).toBe(2)
    // The names of later answers are the same.
    expect((await readMetrics(address)).types).toEqual(metrics.types)
  })

  it('returns 404 for unknown paths, and the public address serves no metrics', async () => {
    expect((await fetch(`${address}/`)).status).toBe(404)
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(405)
    const { status, headers } = await fetch(`${address}/metrics`, { method: 'HEAD' })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    for (const path of ['/metrics', '/status']) expect((await fetch(app.url + path)).status).toBe(404)
  })

  const skipped = hasPromtool ? '' : ' SKIPPED: promtool is not installed'
  it.skipIf(!hasPromtool)(`sends what promtool accepts without a remark${skipped}`, async () => {
    const { text } = await readMetrics(address)
    expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' })
  })

  it('has only metrics that are documented, and dashboard and alerts use only these', async () => {
    const own = [...metrics.types].filter(([name]) => name.startsWith('partita_')).map(([name]) => name)
    const guide = await readFile('docs/observability/README.md', 'utf8')
    const described = guide
      .split('\n')
      .flatMap((line) => (line.startsWith('| `partita_') ? namesIn(line.split('|')[1]) : []))
    expect(described.toSorted()).toEqual(own.toSorted())
    for (const file of ['dashboard.json', 'alerts.yml']) {
      const used = namesIn(await readFile(`docs/observability/${file}`, 'utf8'))
      const families = used.map((name) =>
        metrics.types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
      )
      expect(families.length).toBeGreaterThan(5)
      expect(families.filter((name) => !metrics.types.has(name))).toEqual([])
    }
  })

  it.skipIf(!hasPromtool)(`has alert rules that promtool accepts${skipped}`, () => {
    expect(promtool(['check', 'rules', 'docs/observability/alerts.yml']).code).toBe(0)
    expect(promtool(['check', 'config', 'docs/observability/prometheus.yml']).code).toBe(0)
  })

  describe('partita status', () => {
    const status = (...words: string[]) => runCommand(['status', ...words], { ADMIN_PORT: adminPort })

    it('prints a summary', async () => {
      const { code, stdout, stderr } = await status()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^ {2}SCORE_NOT_FOUND +2$/m)
      expect(stdout).toMatch(/^ {2}mail +1 waiting, 0 running here/m)
      expect(stdout).toMatch(/^ {2}audio +0 busy, 0 idle, at most 4; 0 jobs waiting$/m)
      expect(stdout).toMatch(/^ {2}(sqlite|postgres) +answers$/m)
    })

    it('prints JSON', async () => {
      const { stdout } = await status('--json')
      const printed = JSON.parse(stdout)
      expect(printed).toMatchObject({
        role: 'api',
        errors: { SCORE_NOT_FOUND: 2, API_RATE_LIMIT_EXCEEDED: 1 },
        failedSignIns: 11,
        jobs: { mail: { waiting: 1, running: 0 }, export: { waiting: 0, running: 0 } },
        engines: { audio: { busy: 0, idle: 0, max: 4, waiting: 0 } },
        database: { kind: app.ctx.db.dialect, isUp: true, waitingTransactions: 0 },
      })
      expect(printed.requests['2xx']).toBeGreaterThanOrEqual(3)
      expect(printed.requests['5xx']).toBe(0)
    })

    it('fails if no server answers', async () => {
      const port = String(await freePort())
      const { code, stdout, stderr } = await runCommand(['status', '--admin-port', port], {})
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        `partita: No server answers at http://127.0.0.1:${port}. Is it running, with the same ADMIN_PORT?\n`,
      )
    })

    it('fails if the port is not set', async () => {
      const { code, stderr } = await runCommand(['status'], {})
      expect(code).toBe(1)
      expect(stderr).toBe('partita: ADMIN_PORT is not set. Set it for the server and for this command.\n')
    })

    it('fails if the address belongs to another server', async () => {
      const { code, stderr } = await runCommand(['status', '--admin-port', new URL(app.url).port], {})
      expect(code).toBe(1)
      expect(stderr).toBe(`partita: ${app.url} answers 404. It is not the admin address of a server.\n`)
    })
  })

  it('answers without a database', async () => {
    await app.ctx.writeBehind.close()
    await app.ctx.db.close()
    const { value, labels } = await readMetrics(address)
    expect(value('partita_database_up')).toBe(0)
    expect(labels('partita_jobs_waiting', 'lane')).toEqual(new Set())
    const { stdout } = await runCommand(['status'], { ADMIN_PORT: adminPort })
    expect(stdout).toMatch(/^ {2}mail +unknown waiting, 0 running here$/m)
    expect(stdout).toMatch(/^ {2}(sqlite|postgres) +does not answer$/m)
  })
})

/** Returns the names of metrics in a text. */
function namesIn(text = ''): string[] {
  const names = text.match(/\b(?:partita|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g) ?? []
  return [...new Set(names)]
}
