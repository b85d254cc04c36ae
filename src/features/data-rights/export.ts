import type { Queries } from '../../db/database.ts'
import { dateTime } from '../../lib/date-time.ts'
import { Failure } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { readEvents } from '../audit/listing.ts'
import { exportFile } from '../scores/exports.ts'
import { findRevision } from '../scores/revisions.ts'
import type { findAccount } from '../users/store.ts'
import { ownLists } from './own-lists.ts'
import { openSink, type Sink } from './sinks.ts'
import {
  countScoresOf,
  listAttached,
  listCommentsOn,
  listPublicHistory,
  listRevisionsOf,
  listScoresIn,
  listSharing,
  type ReadPortion,
  readAssignments,
  readCollections,
  readScores,
  readSubmissions,
} from './store.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** A file of the export with a list in it; each row can have more to it than its table has. */
interface List {
  says: string
  read: ReadPortion
  more?: (queries: Queries, id: string) => Promise<object>
}

const lists: Readonly<Record<string, List>> = {
  ...ownLists,
  'assignments.json': {
    says: 'The assignments that you have made, in classes and in libraries.',
    read: readAssignments,
    more: async (queries, id) => ({ attachments: rows(await listAttached(queries, 'assignment', id)) }),
  },
  'collections.json': {
    says: 'Your collections, what is in them, and with whom you have shared them.',
    read: readCollections,
    more: async (queries, id) => ({
      scores: rows(await listScoresIn(queries, id)),
      sharedWith: rows(await listSharing(queries, 'collection_id', id)),
    }),
  },
  'scores.json': {
    says:
      'Your scores: what is said of each, its revisions, and with whom you have shared it. The newest revision is in the ' +
      'folder `scores`, under the id of the score.',
    read: readScores,
    more: async (queries, id) => ({
      revisions: rows(await listRevisionsOf(queries, id)),
      sharedWith: rows(await listSharing(queries, 'score_id', id)),
    }),
  },
  'submissions.json': {
    says:
      'What you have handed in, alone or with a group: answers, grades, what happened to it, and all comments on it. Grades ' +
      'that a teacher has only drafted are not there.',
    read: readSubmissions,
    more: async (queries, id) => ({
      attachments: rows(await listAttached(queries, 'submission', id)),
      history: rows(toldTo(await listPublicHistory(queries, id))),
      comments: rows(await listCommentsOn(queries, id)),
    }),
  },
}

/** How much was written. */
export interface Exported {
  files: number
  scores: number
}

/**
 * Writes everything of a person as files in open formats, and that this was done into the audit log. No more than a portion
 * of rows and one score are in memory. What changes meanwhile is there as it was or as it is.
 * @param path a folder that is empty or not there, or the name of an archive, which ends in `.zip`
 * @param allRevisions every revision as a file, not only the newest one
 */
export async function exportAccount(
  ctx: Context,
  account: Account,
  { path, allRevisions }: { path: string; allRevisions: boolean },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Exported> {
  const { id: user, organization_id: organization } = account
  const sink = await openSink(path)
  const queries = ctx.db.read
  const total = (await countScoresOf(queries, user)) + Object.keys(lists).length
  const done = { files: 3, scores: 0 }
  const step = () => onProgress(done.files, total)
  try {
    await ctx.transaction((tx) => audit(tx, ctx, { organization, actor: null, action: 'user.exported', subject: user }))
    await sink.add('README.md', text(readme(account, ctx)))
    await sink.add('account.json', text(`${JSON.stringify(present(withoutKeys(account)), null, 2)}\n`))
    await sink.add('audit-log.json', listOf(eventsAbout(queries, user)))
    for (const [file, list] of Object.entries(lists)) {
      await sink.add(file, listOf(rowsOf(queries, user, list)))
      done.files += 1
      step()
    }
    for await (const score of portions(queries, user, readScores)) {
      const revisions = allRevisions ? await listRevisionsOf(queries, score.key) : []
      const last = (score as { last_revision_id?: string }).last_revision_id ?? ''
      await addScore(ctx, sink, { score: score.key, revision: last, path: `scores/${score.key}.mxl` })
      for (const { id } of revisions) {
        await addScore(ctx, sink, { score: score.key, revision: id, path: `scores/${score.key}/${id}.mxl` })
        done.files += 1
      }
      done.files += 1
      done.scores += 1
      step()
    }
    await sink.close()
    return done
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** As compressed MusicXML; one that cannot be written so, because it has become too large, as the JSON form. */
async function addScore(
  ctx: Context,
  sink: Sink,
  { score, revision: id, path }: { score: string; revision: string; path: string },
): Promise<void> {
  const revision = await findRevision(ctx.db.read, { score, id })
  if (!revision) return
  const written = async (format: 'mxl' | 'json') => (await exportFile(ctx, revision, { format }, 'score')).body
  let file = path
  const body = await written('mxl').catch((error) => {
    if (!(error instanceof Failure)) throw error
    file = path.replace(/\.mxl$/, '.json')
    return written('json')
  })
  await sink.add(file, 'stream' in body ? body.stream : bytes(body))
}

async function* bytes(body: Uint8Array) {
  yield body
}

async function* text(content: string) {
  yield content
}

async function* portions(queries: Queries, user: string, read: ReadPortion) {
  for (let after = ''; ; ) {
    const rows = await read(queries, user, after)
    yield* rows
    const last = rows.at(-1)
    if (!last || last.key <= after || last.key === '~') return
    after = last.key
  }
}

async function* rowsOf(queries: Queries, user: string, { read, more }: List) {
  for await (const { key, ...row } of portions(queries, user, read)) {
    yield { ...present(withoutKeys(row)), ...(more && (await more(queries, key))) }
  }
}

async function* eventsAbout(queries: Queries, user: string) {
  for await (const events of readEvents(queries, { user })) {
    // What others are called is theirs.
    for (const { actor, subject, ...event } of events) yield { ...event, actor: actor?.id, subject: subject?.id }
  }
}

/** A JSON array, a row a line, written as it is read. */
async function* listOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Where nothing else is new, only a draft of a grade was written, of which students are not told. */
const toldTo = (history: Awaited<ReturnType<typeof listPublicHistory>>) =>
  history.filter((event, index) => {
    const before = history[index - 1]
    return before?.state !== event.state || before.grade !== event.grade
  })

const rows = (list: readonly object[]) => list.map((row) => present(withoutKeys(row)))

/** What lists are sorted and searched by says nothing that is not there already; hashes and links are keys to something. */
function withoutKeys(row: object): object {
  const hidden = /(_key|^key|_blob|^password_hash|^hash|^part_uuids)$/
  return Object.fromEntries(Object.entries(row).filter(([column]) => !hidden.test(column)))
}

const jsonColumns = new Set(['answers', 'context', 'exercises', 'exercises_ids', 'instruments', 'options', 'playback'])
for (const column of ['points', 'rubric', 'scopes', 'tags', 'user_ids']) jsonColumns.add(column)

/** A row of a table as others can read it: times are RFC 3339, JSON is what it says, and what is not there is left out. */
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
  const files = Object.entries(lists)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { says }]) => `- \`${file}\`: ${says}`)
  return `# What ${config.publicUrl} has of ${username}

Written ${dateTime(clock.now())}. The lists are JSON (RFC 8259), a row a line; times are RFC 3339 in UTC; scores are compressed
MusicXML, which notation programs open. Ids are the same in all files. What is not there was never said.

- \`account.json\`: names, address, organization and role, and since when.
- \`audit-log.json\`: what was done to your account and rights, and what you have done to those of others. Of other people
  there is the id.
- \`scores/\`: the newest revision of each of your scores.
${files.join('\n')}

Passwords, tokens and codes are not here: the server itself has only hashes of them.
`
}
