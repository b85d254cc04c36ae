import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { readConfig } from '../../src/config.ts'
import { createContext } from '../../src/create-context.ts'
import { type LogLines, logLines } from './log-lines.ts'
import { createPerson, type Person } from './people.ts'
import { freePort, spawnPartita, waitUntilReady } from './program.ts'

/** A server in a separate process, which a test can stop, kill and restart. */
export interface ServerProcess {
  readonly url: string
  /** The environment variables of the server, for commands that use the same data. */
  readonly environment: NodeJS.ProcessEnv
  /** Returns the peak resident memory of the process in bytes; undefined if the system does not report it. */
  peakMemory(): Promise<number | undefined>
  /** The log of the server. */
  readonly log: LogLines
  /** Creates an account and a token. */
  person(username: string): Promise<Person>
  /** Kills the process with SIGKILL, as a power cut would. */
  kill(): Promise<void>
  /** Asks the process to stop. Resolves to its exit code. */
  stop(): Promise<number | null>
  start(): Promise<void>
}

/**
 * Starts a server in a separate process.
 * @param stderr the number of an open file, for a log that the test does not read
 */
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
    // The server prints its address after it has installed its signal handlers.
    const printed = Promise.race([
      once(child.stdout as NonNullable<typeof child.stdout>, 'data'),
      once(child, 'exit'),
    ])
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => log.write(line))
    await waitUntilReady(url, child)
    await printed
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
      const config = readConfig({ logLevel: 'silent' }, environment)
      const ctx = await createContext(config)
      try {
        return await createPerson(ctx, url, username)
      } finally {
        await ctx.close()
      }
    },
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    start,
  }
}
