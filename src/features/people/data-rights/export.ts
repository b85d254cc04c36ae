import type { Queries } from '../../../platform/db/database.ts'
import type { ExportedList } from '../../../departure.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { Failure } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../audit/audit.ts'
import { readEvents } from '../audit/listing.ts'
import { exportFile } from '../../library/scores/exports.ts'
import { countOwnedScores, listRevisionsOf, selectScores } from '../../library/scores/account-export.ts'
import { findRevision } from '../../library/scores/revisions.store.ts'
import { writeCreditsOf } from '../../library/scores/write-credits.ts'
import { openRecording } from '../../../platform/recordings/recording-files.ts'
import { listRecordingsOf } from '../../library/uploads/store.ts'
import { listPicturesOf } from '../users/pictures.store.ts'
import type { findAccount } from '../users/store.ts'
import { departures } from '../departures/registry.ts'
import { openSink, type Sink } from './sinks.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const lists: readonly (readonly [file: string, list: ExportedList])[] = departures
  .flatMap((departure) => Object.entries(departure.exports ?? {}))
  .sort(([a], [b]) => (a < b ? -1 : 1))

/** How much the export wrote. */
export interface Exported {
  files: number
  scores: number
}

/**
 * Writes all data of an account as files in open formats, and records the export in the audit log. At most
 * one batch of rows and one score are in memory. Data that changes during the export appears in its old or
 * its new state.
 * @param path an empty or new folder, or the name of a new archive that ends in `.zip`
 * @param allRevisions writes every revision of each score, not only the newest one
 */
export async function exportAccount(
  ctx: Context,
  account: Account,
  { path, allRevisions }: { path: string; allRevisions: boolean },
  onProgress: (written: number, total: number) => void = () => {},
): Promise<Exported> {
  const { id: user, organization_id: organization } = account
  const sink = await openSink(path)
  const queries = ctx.db.read
  const total = (await countOwnedScores(queries, user)) + lists.length
  const counts = { files: 3, scores: 0 }
  const step = () => onProgress(counts.files, total)
  try {
    await ctx.transaction((tx) =>
      audit(tx, ctx, { organization, actor: null, action: 'user.exported', subject: user }),
    )
    await writeCreditsOf(ctx, user)
    await sink.add('README.md', text(readme(account, ctx)))
    await sink.add('account.json', text(`${JSON.stringify(present(withoutKeys(account)), null, 2)}\n`))
    await sink.add('audit-log.json', listOf(eventsAbout(queries, user)))
    for (const [file, list] of lists) {
      await sink.add(file, listOf(rowsOf(queries, user, list)))
      counts.files += 1
      step()
    }
    for (const { kind, content } of await listPicturesOf(queries, user)) {
      await sink.add(`profile/${kind}.webp`, bytes(content))
      counts.files += 1
    }
    for (const { id, media_type } of await listRecordingsOf(queries, user)) {
      const recording = await openRecording(ctx, id)
      if (!recording) continue
      const extension = media_type?.split('/')[1] ?? 'bin'
      await sink.add(`recordings/${id}.${extension}`, recording.read(0, recording.size - 1))
      counts.files += 1
    }
    for await (const score of readRows(queries, user, selectScores)) {
      const revisions = allRevisions ? await listRevisionsOf(queries, score.key) : []
      const last = (score as { last_revision_id?: string }).last_revision_id ?? ''
      await addScore(ctx, sink, { user, score: score.key, revision: last, path: `scores/${score.key}.mxl` })
      for (const { id } of revisions) {
        await addScore(ctx, sink, {
          user,
          score: score.key,
          revision: id,
          path: `scores/${score.key}/${id}.mxl`,
        })
        counts.files += 1
      }
      counts.files += 1
      counts.scores += 1
      step()
    }
    await sink.close()
    return counts
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** Adds a score as compressed MusicXML, or in the JSON form if it is too large for MusicXML. */
async function addScore(
  ctx: Context,
  sink: Sink,
  { user, score, revision: id, path }: { user: string; score: string; revision: string; path: string },
): Promise<void> {
  const revision = await findRevision(ctx.db.read, { score, id })
  if (!revision) return
  const exportAs = async (format: 'mxl' | 'json') =>
    (await exportFile(ctx, revision, { format }, 'score', { caller: user, isPatient: true })).file.body
  let file = path
  const body = await exportAs('mxl').catch((error) => {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    file = path.replace(/\.mxl$/, '.json')
    return exportAs('json')
  })
  await sink.add(file, 'stream' in body ? body.stream : bytes(body))
}

async function* bytes(body: Uint8Array) {
  yield body
}

async function* text(content: string) {
  yield content
}

/** The maximum number of rows that one query reads. */
const batchSize = 200

async function* readRows(queries: Queries, user: string, query: ExportedList['query']) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await query(queries, user, after).orderBy('key').limit(batchSize).execute()
    yield* rows
    after = rows[batchSize - 1]?.key
  }
}

async function* rowsOf(queries: Queries, user: string, { query, details }: ExportedList) {
  for await (const { key, ...row } of readRows(queries, user, query)) {
    const more = Object.entries((await details?.(queries, key)) ?? {})
    yield {
      ...present(withoutKeys(row)),
      ...Object.fromEntries(more.map(([name, list]) => [name, rows(list)])),
    }
  }
}

async function* eventsAbout(queries: Queries, user: string) {
  for await (const events of readEvents(queries, { user })) {
    // The names of other users are their data.
    for (const { actor, subject, ...event } of events)
      yield { ...event, actor: actor?.id, subject: subject?.id }
  }
}

/** Yields a JSON array with a row per line. */
async function* listOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const rows = (list: readonly object[]) => list.map((row) => present(withoutKeys(row)))

/** Removes sort keys and search keys, which repeat other columns, and columns with hashes and links. */
function withoutKeys(row: object): object {
  const hidden = /(_key|^key|_blob|^password_hash|^hash|^part_uuids)$/
  return Object.fromEntries(Object.entries(row).filter(([column]) => !hidden.test(column)))
}

const jsonColumns = new Set([
  'answers',
  'context',
  'exercises',
  'exercises_ids',
  'instruments',
  'late_policy',
  'options',
  'playback',
  'points',
  'rubric',
  'scopes',
  'tags',
  'user_ids',
])

/**
 * Converts a row for readers outside of Partita: times are RFC 3339, JSON columns are parsed, null columns
 * are left out.
 */
function present(row: object): object {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      if (value === null) return []
      const name = column.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
      if (/_at$/.test(column) && typeof value === 'number') return [[name, dateTime(value)]]
      if (jsonColumns.has(column) && typeof value === 'string') return [[name, JSON.parse(value)]]
      return [[name, value]]
    }),
  )
}

function readme({ username }: Account, { clock, config }: Context): string {
  const files = lists.map(([file, { description }]) => `- \`${file}\`: ${description}`)
  return `# Data of ${username} on ${config.publicUrl}

Exported ${dateTime(clock.now())}. The lists are JSON (RFC 8259) with one row per line. Times are RFC 3339 in UTC. Scores are
compressed MusicXML, which notation programs open. Ids are the same in all files. Fields without a value are left out.

- \`account.json\`: names, address, organization, role and the date of creation.
- \`audit-log.json\`: changes of your account and rights, and changes that you made to those of other users. Other users
  appear with their ids only.
- \`profile/\`: the pictures of your profile.
- \`recordings/\`: the recordings of your tracks that this server stores.
- \`scores/\`: the newest revision of each of your scores.
${files.join('\n')}

Passwords, tokens and codes are not included: the server stores only hashes of them.
`
}
