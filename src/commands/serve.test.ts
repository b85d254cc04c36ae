import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { freePort, root, runPartita, spawnPartita, waitUntilReady } from '../../test/support/program.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
  return () => rm(dataDir, { recursive: true, force: true })
})

it('refuses a SOUNDFONT that is not a sound font, and says so', async () => {
  const { code, stderr } = await runPartita(['serve'], { DATA_DIR: dataDir, SOUNDFONT: 'package.json' })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^partita: SOUNDFONT: .*package\.json is not a sound font: it must be an SF2, SF3 or DLS file\n$/,
  )
})

it('refuses DURABILITY=off, and creates no database', async () => {
  const { code, stderr } = await runPartita(['serve'], { DATA_DIR: dataDir, DURABILITY: 'off' })
  expect(code).not.toBe(0)
  expect(stderr).toBe(
    'partita: DURABILITY: the server needs "full"; with "off" a power cut loses acknowledged writes\n',
  )
  expect(await readdir(dataDir)).toEqual([])
})

it('logs the error that ends the process', async () => {
  const PORT = `${await freePort()}`
  const failOnSignal = `process.on('SIGUSR2', () => { throw new Error('a bug') })`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failOnSignal)}`
  const server = spawnPartita(['serve'], { DATA_DIR: dataDir, PORT, NODE_OPTIONS, SHIPPED_CONTENT: 'false' })
  onTestFinished(() => void server.kill('SIGKILL'))
  const log = text(server.stderr as NonNullable<typeof server.stderr>)
  server.stdout?.resume()
  await waitUntilReady(`http://127.0.0.1:${PORT}`, server)
  server.kill('SIGUSR2')
  expect(await once(server, 'close')).toEqual([1, null])
  const lines = (await log).trimEnd().split('\n')
  expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
    { level: 60, err: { message: 'a bug' }, msg: 'the process ends because of an unhandled error' },
    { level: 60, code: 1, msg: 'the process ends' },
  ])
})

it('stops when npm, which has started it, is stopped', async () => {
  const PORT = `${await freePort()}`
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT, SHIPPED_CONTENT: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void npm.kill('SIGKILL'))
  // The server inherits the pipe, so it closes when the server has ended too.
  const log = text(npm.stderr)
  await waitUntilReady(`http://127.0.0.1:${PORT}`, npm)
  npm.kill('SIGTERM')
  expect(await log).toContain('"msg":"stopped"')
  await expect(fetch(`http://127.0.0.1:${PORT}/healthz`)).rejects.toThrow()
})
