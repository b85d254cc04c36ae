import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../src/program.ts'
import packageJson from '../../package.json' with { type: 'json' }

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The arguments that npm passes to `node` to run the program. */
const [, ...program] = packageJson.scripts.partita.split(' ')

/** The result of a command. */
export interface CommandResult {
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

/** Runs the program as a separate process. `runCommand` is faster; use this to test the process itself. */
export async function runPartita(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandResult> {
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

/** Runs a command within this process, with these environment variables only. Not for `serve`. */
export async function runCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const { env } = process
  const stdout = captureWrites(process.stdout)
  const stderr = captureWrites(process.stderr)
  process.env = { PATH: env.PATH, HOME: env.HOME, ...environment }
  try {
    const code = await runProgram(args)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.env = env
    stdout.restore()
    stderr.restore()
  }
}

function captureWrites(stream: NodeJS.WriteStream) {
  const { write } = stream
  const chunks: Uint8Array[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string))
    for (const argument of rest) if (typeof argument === 'function') argument()
    return true
  }
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore() {
      stream.write = write
    },
  }
}

/** Resolves once the server of a process reports that it is ready. */
export async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
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
