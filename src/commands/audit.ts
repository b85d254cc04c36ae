import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { fail } from '../errors.ts'
import { auditedActions } from '../contract/audited-actions.ts'
import { eventTable, type LoggedEvent, readEvents } from '../features/people/audit/listing.ts'
import type { EventFilter } from '../features/people/audit/store.ts'
import { findAccount } from '../features/people/users/store.ts'
import { csvOf } from '../lib/csv.ts'
import { isId } from '../lib/ids.ts'
import { sortKey } from '../lib/sort-key.ts'
import { commandWithSettings, jsonFlag, withContext } from './command-line.ts'

export function auditLogCommand(): Command {
  return commandWithSettings(
    'audit-log',
    'Print the audit log of accounts and permissions, oldest entry first',
  )
    .option('--organization <id>', 'Only entries of this organization')
    .option('--user <user>', 'Only entries with this account as actor or subject; username or id')
    .option('--since <date>', 'From this date or time on, in UTC: 2026-09-01, 2026-09-01T12:00Z', readDate)
    .option('--until <date>', 'Before this date or time', readDate)
    .addOption(
      new Option('--action <action>', 'Only entries with this action: user.removed, …').choices(
        auditedActions,
      ),
    )
    .addOption(
      new Option('--format <format>', 'Output format').choices(['table', 'csv', 'ndjson']).default('table'),
    )
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const { organization, action, since, until } = options
        const user = options.user === undefined ? undefined : await idOf(ctx.db.read, options.user)
        const filter: EventFilter = { organization, user, action, since, until }
        const batches = () => readEvents(ctx.db.read, filter)
        if (options.json) await write(asObject(batches()))
        else if (options.format === 'csv') await write(csvOf(eventTable(ctx.db.read, filter)))
        else await write(asLines(batches(), options.format === 'ndjson' ? JSON.stringify : lineOf))
      })
    })
}

/** Returns an id unchanged: the log still has events of deleted accounts. */
async function idOf(queries: Parameters<typeof findAccount>[0], idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName
  return (await findAccount(queries, sortKey(idOrName)))?.id ?? fail('USER_NOT_FOUND')
}

async function* asLines(batches: AsyncIterable<LoggedEvent[]>, lineOf: (event: LoggedEvent) => string) {
  for await (const events of batches) yield events.map((event) => `${lineOf(event)}\n`).join('')
}

async function* asObject(batches: AsyncIterable<LoggedEvent[]>) {
  let separator = '{"events":['
  for await (const events of batches) {
    yield separator + events.map((event) => JSON.stringify(event)).join(',')
    separator = ','
  }
  yield separator === ',' ? ']}\n' : '{"events":[]}\n'
}

function lineOf({ date, action, actor, subject, details }: LoggedEvent): string {
  const name = (user: LoggedEvent['actor']) => user?.username ?? user?.id ?? '–'
  const rest = Object.keys(details).length > 0 ? `  ${JSON.stringify(details)}` : ''
  return `${date}  ${action.padEnd(30)} ${name(actor)} → ${name(subject)}${rest}`
}

/** Writes at the speed of the reader. A reader that closes the pipe early is not an error. */
async function write(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function readDate(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a date such as 2026-09-01, or an RFC 3339 time.')
  return time
}
