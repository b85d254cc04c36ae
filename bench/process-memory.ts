import { readFile } from 'node:fs/promises'
import { childrenOf } from './cpu-time.ts'

/** Measures the largest resident memory of this process and of its children, in MB, until it is stopped. */
export function watchMemory(): { stop(): Promise<{ server: number; engines: number }> } {
  const peaks = new Map<number, number>()
  async function look(): Promise<void> {
    for (const pid of [process.pid, ...(await childrenOf(process.pid))]) {
      const now = await residentMegabytes(pid)
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, now))
    }
  }
  const timer = setInterval(() => void look(), 50)
  return {
    async stop() {
      clearInterval(timer)
      await look()
      const { [process.pid]: server = 0, ...children } = Object.fromEntries(peaks)
      return { server, engines: Math.max(0, ...Object.values(children)) }
    },
  }
}

/** The resident memory of a process; 0 if it has ended, or without /proc. */
async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1000
}
