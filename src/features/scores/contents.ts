import type { PreparedBlob } from '../../blobs/blob-store.ts'
import type { ScoreCreationBuilderData } from '../../contract/scores.ts'
import type { Transaction } from '../../db/database.ts'
import type { ScoreRevisionsTable } from '../../db/score-tables.ts'
import type { ReadScore } from '../../engines/notation.ts'
import { fail } from '../../errors.ts'
import { buildScore } from '../../music/builder.ts'
import { factsOf } from '../../music/facts.ts'
import { writeJson } from '../../music/json.ts'
import { partUuidsOf } from '../../music/parts.ts'
import { timelineOf } from '../../music/timeline.ts'
import type { Context } from '../../operation.ts'
import { insertRevision } from './revisions.ts'
import type { ScoreContents } from './store.ts'

/** The most that a score's file may have, in bytes. */
const largestFile = 10 * 1024 * 1024
/** The most that a body with such a file in base64 may have, in bytes. */
export const largestFileBody = 15 * 1024 * 1024

/** What a file or a builder made, with the slow work done; only rows are still to be written. */
export interface Contents {
  facts: Pick<ReadScore['facts'], 'title' | 'subtitle' | 'composer' | 'lyricist' | 'arranger'>
  /** The columns of the score that its newest revision decides. */
  columns: Omit<ScoreContents, 'last_revision_id' | 'search_key' | 'modified_at'>
  document: PreparedBlob
  partUuids: readonly string[]
  source: PreparedBlob | undefined
  sourceFormat: string | undefined
  statistics: { additions: number; deletions: number }
}

/**
 * The bytes of `data` as it was sent.
 * @throws INVALID_DATA_ENCODING for broken base64; PAYLOAD_TOO_LARGE above 10 MiB
 */
export function decodeData(data: string, dataEncoding: 'base64' | undefined): Uint8Array {
  const bytes = dataEncoding === 'base64' ? decodeBase64(data) : encodeText(data)
  if (bytes.length > largestFile) {
    fail('PAYLOAD_TOO_LARGE', {
      param: 'data',
      message: `\`data\` has ${bytes.length} bytes; a score may have ${largestFile}.`,
    })
  }
  return bytes
}

function decodeBase64(data: string): Uint8Array {
  // Some encoders break lines; anything else that is not base64 is passed over, and makes the result too short.
  const end = data.trimEnd()
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0
  const digits = data.length - padding - countOf('\n', data) - countOf('\r', data)
  const bytes = Buffer.from(data, 'base64')
  if (digits % 4 === 1 || bytes.length !== Math.floor((digits * 3) / 4))
    fail('INVALID_DATA_ENCODING', { param: 'data' })
  return bytes
}

function countOf(character: string, text: string): number {
  let count = 0
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1)) count++
  return count
}

/** Text has no encoding any more, whatever its XML declaration still says: a byte order mark settles it. */
function encodeText(data: string): Uint8Array {
  return Buffer.from(/^\uFEFF?<\?xml[^>]*encoding=["'](?!utf-8)/i.test(data) ? `\uFEFF${data}` : data)
}

/** Reads a file of any accepted format. `previous` is the document of the revision before, for identities that last. */
export async function contentsOfFile(ctx: Context, bytes: Uint8Array, previous?: string): Promise<Contents> {
  const { json, facts, partUuids, durationTime, statistics, format } = await ctx.notation.read({ bytes, previous })
  // Not before: what is refused leaves no file behind.
  const [document, source] = await Promise.all([ctx.blobs.prepare(Buffer.from(json)), ctx.blobs.prepare(bytes)])
  return {
    facts,
    columns: columnsOf(facts, durationTime),
    document,
    partUuids,
    source,
    sourceFormat: format,
    statistics,
  }
}

/** Builds an empty score; a matter of microseconds, so it is done here and not by a worker. */
export async function contentsOfBuilder(
  ctx: Context,
  builderData: ScoreCreationBuilderData['builderData'],
  title: string,
): Promise<Contents> {
  const document = buildScore(builderData, title, () => crypto.randomUUID())
  const facts = factsOf(document)
  return {
    facts,
    columns: columnsOf(facts, timelineOf(document).durationSeconds),
    document: await ctx.blobs.prepare(Buffer.from(writeJson(document))),
    partUuids: partUuidsOf(document),
    source: undefined,
    sourceFormat: undefined,
    statistics: { additions: facts.noteCount, deletions: 0 },
  }
}

function columnsOf(facts: ReadScore['facts'], duration: number): Contents['columns'] {
  return {
    instruments: JSON.stringify(facts.instruments),
    duration: Math.round(duration * 1000) / 1000,
    measures: facts.numberMeasures,
    tempo_qpm: facts.mainTempoQpm ?? null,
    key_fifths: facts.mainKeySignature ?? null,
  }
}

/** Writes a revision with its blobs. */
export async function insertContents(
  ctx: Context,
  tx: Transaction,
  contents: Contents,
  revision: {
    id: string
    score: string
    user: string
    now: number
    description?: string | undefined
    autosave?: boolean | undefined
  },
): Promise<ScoreRevisionsTable> {
  const { columns, document, partUuids, source, sourceFormat, statistics } = contents
  const row: ScoreRevisionsTable = {
    id: revision.id,
    score_id: revision.score,
    user_id: revision.user,
    description: revision.description ?? null,
    autosave: revision.autosave ? 1 : 0,
    document_blob: document.hash,
    source_blob: source?.hash ?? null,
    source_format: sourceFormat ?? null,
    part_uuids: JSON.stringify(partUuids),
    ...columns,
    notes_added: statistics.additions,
    notes_deleted: statistics.deletions,
    created_at: revision.now,
  }
  await Promise.all([ctx.blobs.insert(tx, document), source && ctx.blobs.insert(tx, source), insertRevision(tx, row)])
  return row
}

const longestTitle = 1000

/** The title of a new score: as asked for, else as the file says, else the file's name. */
export function titleOf(asked: string | undefined, inFile?: string, filename?: string): string {
  const fromName = filename?.replace(/^.*[\\/]/, '').replace(/\.\w{1,8}$/, '')
  const title = [asked, inFile, fromName].map((text) => text?.trim()).find(Boolean)
  // The cut may go through a surrogate pair.
  return (title ?? 'New Music Score').slice(0, longestTitle).replace(/[\ud800-\udbff]$/, '')
}

/** Nothing but white space is no title. @throws INVALID_PARAMETER */
export function checkTitle(title: string | undefined): void {
  if (title?.trim() === '') fail('INVALID_PARAMETER', { param: 'title', message: '`title` is empty.' })
}
