import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Client, clientOf } from './client.ts'
import { type LogLines, logLines } from './log-lines.ts'
import { freePort, runPartita, spawnPartita, untilReady } from './program.ts'

/** The server as people run it: a process of its own, which may be ended and started again. */
export interface ServerProcess {
  readonly url: string
  /** Its settings, for commands beside it. */
  readonly environment: NodeJS.ProcessEnv
  /** The most memory that it has had resident so far, in bytes; undefined where that cannot be found out. */
  peakMemory(): Promise<number | undefined>
  /** What it has logged. */
  readonly log: LogLines
  /** Makes an account and a token for it by the command line. */
  person(username: string): Promise<Client>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Asks it to stop; its exit code. */
  stop(): Promise<number | null>
  start(): Promise<void>
}

/** @param stderr where its log goes that is not to be read here: the number of an open file */
export async function startServerProcess(
  settings: NodeJS.ProcessEnv,
  stderr: 'pipe' | number = 'pipe',
): Promise<ServerProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    RATE_LIMIT_AUTHENTICATED: '1000000000',
    LOG_LEVEL: 'error',
    SHIPPED_CONTENT: 'false',
    ...settings,
    PORT: `${port}`,
  }
  const log = logLines()
  let child: ChildProcess

  async function start() {
    child = spawnPartita(['serve'], environment, stderr)
    // It says where it is when it heeds signals as well.
    const said = Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), once(child, 'exit')])
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => log.write(line))
    await untilReady(url, child)
    await said
  }
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'close')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }

  await start()
  return {
    url,
    environment,
    log,
    async peakMemory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
    },
    async person(username) {
      await runPartita(['user', 'create', '--username', username, '--password', 'secret1'], environment)
      const { stdout } = await runPartita(['token', 'create', '--user', username, '--json'], environment)
      return clientOf(url, JSON.parse(stdout).token)
    },
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    start,
  }
}
