import type { Command } from 'commander'
import type { Status } from '../admin/status.ts'
import { addressOf, type SettingName, settings } from '../config.ts'
import { formatBytes } from '../lib/byte-size.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'

const settingsOfStatus: readonly SettingName[] = ['adminHost', 'adminPort']

/** Milliseconds to wait for the server, which waits up to 3 seconds for its database. */
const timeLimit = 10_000

export function statusCommand(): Command {
  return commandWithSettings('status', 'Print what the running server does', settingsOfStatus)
    .option(...jsonFlag)
    .action(async (options) => {
      const { adminHost, adminPort } = configOf(options, settingsOfStatus)
      if (adminPort === undefined) {
        throw new Error(`${settings.adminPort.name} is not set. Set it for the server and for this command.`)
      }
      const status = await readStatus(addressOf(adminHost, adminPort))
      print(options, status, describe(status))
    })
}

async function readStatus(address: string): Promise<Status> {
  const response = await fetch(`${address}/status`, { signal: AbortSignal.timeout(timeLimit) }).catch(
    () => {},
  )
  if (!response) {
    throw new Error(
      `No server answers at ${address}. Is it running, with the same ${settings.adminPort.name}?`,
    )
  }
  if (!response.ok)
    throw new Error(`${address} answers ${response.status}. It is not the admin address of a server.`)
  return (await response.json()) as Status
}

function describe(status: Status): string {
  const { requests, database, storage } = status
  const sections = [
    table('Process', [
      ['role', status.role],
      ['running for', duration(status.uptimeSeconds)],
      ['memory', bytes(status.memoryBytes)],
      [
        'event-loop delay',
        `${status.eventLoopDelayMilliseconds.median} ms (p99 ${status.eventLoopDelayMilliseconds.p99} ms)`,
      ],
    ]),
    table('Requests', [
      ...Object.entries(requests).filter(([, count]) => count > 0),
      ['failed sign-ins', status.failedSignIns],
    ]),
    table(
      'Errors',
      Object.entries(status.errors).sort(([, a], [, b]) => b - a),
    ),
    table(
      'Jobs',
      Object.entries(status.jobs).map(([lane, { waiting, running, oldestSeconds }]) => [
        lane,
        `${waiting ?? unknown} waiting, ${running} running here${oldestSeconds ? `, oldest for ${duration(oldestSeconds)}` : ''}`,
      ]),
    ),
    table(
      'Engines',
      Object.entries(status.engines).map(([kind, { busy, idle, max, waiting }]) => [
        kind,
        `${busy} busy, ${idle} idle, at most ${max}; ${waiting} jobs waiting`,
      ]),
    ),
    table('Database', [
      [database.kind, database.isUp ? 'answers' : 'does not answer'],
      ['connections', `${database.busyConnections} busy, ${database.idleConnections} idle`],
      ['waiting', `${database.pendingReads} reads, ${database.waitingTransactions} transactions`],
      ['transactions per commit', database.transactionsPerGroup ?? unknown],
    ]),
    table('Storage', [
      ['files', storage.blobBytes === null ? unknown : `${bytes(storage.blobBytes)} before compression`],
      ['disk', `${bytes(storage.diskFreeBytes)} of ${bytes(storage.diskSizeBytes)} free`],
    ]),
  ]
  return sections
    .filter((section) => section !== '')
    .join('\n')
    .trimEnd()
}

const unknown = 'unknown'

function table(title: string, rows: readonly (readonly [string, string | number])[]): string {
  if (rows.length === 0) return ''
  return `${title}\n${rows.map(([name, value]) => `  ${name.padEnd(24)} ${value}\n`).join('')}`
}

const bytes = (count: number | null): string => (count === null ? unknown : formatBytes(count))

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
