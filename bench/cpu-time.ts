import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** The resolution of the CPU times in /proc, in ticks per second. It is 100 on every Linux. */
const ticksPerSecond = 100

/**
 * Returns the CPU time of a process, its threads and its children, also of children that have ended, in microseconds.
 * It is 0 without /proc.
 * @see man 5 proc_pid_stat
 */
export async function cpuTimeOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (text === undefined) return 0
  // The name of the program may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  const children = await Promise.all((await childrenOf(pid)).map(cpuTimeOf))
  return (ticks * 1_000_000) / ticksPerSecond + children.reduce((sum, time) => sum + time, 0)
}

/** The ids of the children of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'latin1').catch(() => ''))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** Measures the CPU time of the connections of one application to a PostgreSQL server on this machine. */
interface DatabaseCpu {
  /** Returns the CPU time of the open connections, in microseconds. */
  time(): Promise<number>
  close(): Promise<void>
}

export async function databaseCpu(server: string, application: string): Promise<DatabaseCpu> {
  const url = new URL(server)
  // The client that asks is not one of the connections.
  url.searchParams.set('application_name', 'bench')
  const client = new pg.Client(url.href)
  await client.connect()
  return {
    async time() {
      const sql = 'select pid from pg_stat_activity where application_name = $1'
      const { rows } = await client.query<{ pid: number }>(sql, [application])
      const times = await Promise.all(rows.map(({ pid }) => cpuTimeOf(pid)))
      return times.reduce((sum, time) => sum + time, 0)
    },
    close: () => client.end(),
  }
}
