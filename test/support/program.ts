import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What npm runs the program with: `node`, and what comes behind it. */
const [, ...program] = packageJson.scripts.partita.split(' ')

/** What a command came to. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the program as a person would, with nothing in its environment but what is given and where commands are found.
 * @param stderr the number of an open file, for a log that is not to be read here
 */
export function spawnPartita(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  stderr: 'pipe' | number = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [...program, ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', stderr],
  })
}

export async function runPartita(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawnPartita(words, environment)
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

/** Resolves once the server of a process says that it can serve. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`The server ended with ${child.exitCode} before it could serve`)
}

/** A port on which nobody listens: none that systems give to outgoing connections, and none that `fetch` refuses, as it does 10080. */
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
