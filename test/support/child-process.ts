import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DatabaseLocation } from '../../src/platform/db/open-database.ts'

export interface DatabaseProcess {
  /** The lines that the process has printed so far. The array grows while the process runs. */
  readonly lines: readonly string[]
  /** Resolves when the process has printed this many lines. Rejects if it ends before. */
  waitForLines(count: number): Promise<void>
  /** Waits until the process ends by itself. Resolves to its exit code. */
  finished(): Promise<number | null>
  /** Kills the process with SIGKILL, as a power cut would. */
  kill(): Promise<void>
}

/** Starts test/support/database-process.ts as a separate process on the same database. */
export function startDatabaseProcess(
  task: string,
  location: DatabaseLocation,
  argument = '',
): DatabaseProcess {
  const program = fileURLToPath(new URL('./database-process.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program, task, JSON.stringify(location), argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const printed: string[] = []
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  lines.on('line', (line) => printed.push(line))
  return {
    lines: printed,
    async waitForLines(count) {
      while (printed.length < count) {
        if (child.exitCode !== null)
          throw new Error(`The process exited early. Its output: ${printed.join(' | ')}`)
        await Promise.race([once(lines, 'line'), ended])
      }
    },
    async finished() {
      const [code] = await ended
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
