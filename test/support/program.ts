import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The arguments that npm passes to `node` to run the program. */
const [, ...program] = packageJson.scripts.partita.split(' ')

/** The result of a command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the program as from a shell. Its environment contains only `PATH`, `HOME` and the given variables.
 * @param stderr the number of an open file, for a log that the test does not read
 */
export function spawnPartita(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  stderr: 'pipe' | number = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [...program, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', stderr],
  })
}

export async function runPartita(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawnPartita(args, environment)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** Resolves once the server of a process reports that it is ready. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`The server exited with code ${child.exitCode} before it was ready`)
}

/**
 * Returns a free port, outside the range of outgoing connections and not blocked by `fetch` (as 10080 is).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
