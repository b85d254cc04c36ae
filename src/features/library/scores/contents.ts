import { decodeBase64 } from '../../../lib/base64.ts'
import { withoutDirectionControls } from '../../../lib/text-direction.ts'
import type { PreparedBlob } from '../../../platform/blobs/blob-store.ts'
import { maxScoreFileBytes } from '../../../contract/score-files.ts'
import type { ImportWarning, ScoreCreationBuilderData } from '../../../contract/scores.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { ScoreRevisionsTable } from '../../../platform/db/score-tables.ts'
import type { ReadScore } from '../../../engines/notation.ts'
import type { EarlierDocuments } from '../../../engines/score-work.ts'
import { fail } from '../../../errors.ts'
import type { Waiter } from '../../../lib/shared-runs.ts'
import type { Context } from '../../../context.ts'
import { addCheckedBytes, addStoredBytes } from '../../people/storage/quota.ts'
import { emptyScore } from './empty-score.ts'
import { insertRevision } from './revisions.store.ts'
import type { ScoreContents } from './store.ts'

/** Maximum size of a request body that holds a score file of the maximum size in base64, in bytes. */
export const maxFileBodyBytes = 15 * 1024 * 1024

/**
 * The parsed contents of a file or the output of the builder. All slow work is done; only the rows remain to
 * be written.
 */
export interface Contents extends RevisionContents {
  facts: Pick<ReadScore['facts'], 'title' | 'subtitle' | 'composer' | 'lyricist' | 'arranger'>
}

/** What a revision stores. */
export interface RevisionContents {
  /** The columns of the score that are derived from its newest revision. */
  columns: Omit<ScoreContents, 'last_revision_id' | 'search_key' | 'modified_at'>
  document: PreparedBlob
  partUuids: readonly string[]
  source: PreparedBlob | undefined
  sourceFormat: string | undefined
  /** What the reader changed in a faulty file. */
  warnings: readonly ImportWarning[]
  statistics: { additions: number; deletions: number }
}

/**
 * Decodes the field `data` of a request to the bytes of the file.
 * @param maxBytes 10 MiB by default
 * @throws INVALID_DATA_ENCODING for broken base64; PAYLOAD_TOO_LARGE
 */
export function decodeData(
  data: string,
  dataEncoding: 'base64' | undefined,
  maxBytes = maxScoreFileBytes,
): Uint8Array {
  const bytes = dataEncoding === 'base64' ? decodeBase64(data) : encodeText(data)
  if (!bytes) fail('INVALID_DATA_ENCODING', { param: 'data' })
  checkFileSize(bytes.length, 'data', maxBytes)
  return bytes
}

/**
 * Checks the size of a score file, in bytes.
 * @param param the body field that contains the file
 * @param maxBytes 10 MiB by default
 * @throws PAYLOAD_TOO_LARGE
 */
export function checkFileSize(size: number, param?: string, maxBytes = maxScoreFileBytes): void {
  if (size <= maxBytes) return
  const subject = param ? `\`${param}\`` : 'The file'
  const message = `${subject} has ${size} bytes; the maximum is ${maxBytes}.`
  fail('PAYLOAD_TOO_LARGE', { ...(param && { param }), message })
}

/**
 * Encodes text as UTF-8. If the XML declaration still names another encoding, a byte order mark overrides it.
 */
function encodeText(data: string): Uint8Array {
  return Buffer.from(/^\uFEFF?<\?xml[^>]*encoding=["'](?!utf-8)/i.test(data) ? `\uFEFF${data}` : data)
}

/**
 * Reads a file of any accepted format.
 * @param waiter the request that waits for the contents. After an abort of its signal nothing has been stored.
 * @param earlier the documents of the previous revision and of a locked template
 */
export async function contentsOfFile(
  ctx: Context,
  bytes: Uint8Array,
  { caller, signal, isPatient = false }: Waiter,
  earlier: EarlierDocuments = {},
): Promise<Contents> {
  const { json, facts, partUuids, durationTime, statistics, warnings, format } = await ctx.notation.read(
    { bytes, ...earlier },
    { callers: [caller], signal, isPatient: () => isPatient },
  )
  // The blobs are written after the file was read, so that a rejected file leaves no blob behind.
  const [document, source] = await Promise.all([
    ctx.blobs.prepare(Buffer.from(json)),
    ctx.blobs.prepare(bytes),
  ])
  return {
    facts,
    columns: columnsOf(facts, durationTime),
    document,
    partUuids,
    source,
    sourceFormat: format,
    warnings,
    statistics,
  }
}

/** Builds an empty score. This takes microseconds, so it runs on the main thread and not in a worker. */
export async function contentsOfBuilder(
  ctx: Context,
  builderData: ScoreCreationBuilderData['builderData'],
  title: string,
): Promise<Contents> {
  const { json, facts, durationSeconds, partUuids } = emptyScore(builderData, title, () =>
    crypto.randomUUID(),
  )
  return {
    facts: { ...facts, title },
    columns: columnsOf(facts, durationSeconds),
    document: await ctx.blobs.prepare(Buffer.from(json)),
    partUuids,
    source: undefined,
    sourceFormat: undefined,
    warnings: [],
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

/**
 * Runs a transaction that may insert these contents, and deletes their files if it does not. A client could
 * otherwise fill the disk with files that no quota counts.
 */
export const storingContents = <T>(
  { blobs }: Context,
  { document, source }: RevisionContents,
  transaction: () => Promise<T>,
): Promise<T> => blobs.storing(source ? [document, source] : [document], transaction)

/** Returns what a revision with these contents counts against storage quotas. */
export const storedBytesOf = ({ document, source }: RevisionContents): number =>
  document.storedSize + (source?.storedSize ?? 0)

/**
 * Inserts a revision and its blobs, and counts them for the owner of the score.
 * @throws ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED
 */
export async function insertContents(
  ctx: Context,
  tx: Transaction,
  contents: RevisionContents,
  revision: {
    id: string
    score: string
    /** The owner of the score. */
    owner: string
    user: string
    now: number
    /** The time of the revision that this one was made from, in milliseconds. */
    begunAt?: number | undefined
    description?: string | undefined
    autosave?: boolean | undefined
    /** Whether the storage was checked before, with `checkStorage`. */
    isChecked?: boolean
  },
): Promise<ScoreRevisionsTable> {
  const { columns, document, partUuids, source, sourceFormat, warnings, statistics } = contents
  const row: ScoreRevisionsTable = {
    id: revision.id,
    score_id: revision.score,
    user_id: revision.user,
    description: revision.description ?? null,
    autosave: revision.autosave ? 1 : 0,
    document_blob: document.hash,
    source_blob: source?.hash ?? null,
    source_format: sourceFormat ?? null,
    import_warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    stored_bytes: storedBytesOf(contents),
    part_uuids: JSON.stringify(partUuids),
    ...columns,
    notes_added: statistics.additions,
    notes_deleted: statistics.deletions,
    begun_at: revision.begunAt ?? revision.now,
    created_at: revision.now,
  }
  const count = revision.isChecked ? addCheckedBytes : addStoredBytes
  await Promise.all([
    ctx.blobs.insert(tx, document),
    source && ctx.blobs.insert(tx, source),
    insertRevision(tx, row),
    count(ctx, tx, revision.owner, row.stored_bytes, revision.user),
  ])
  return row
}

const maxTitleLength = 1000

/**
 * Returns the title of a new score: the requested title, or the title in the file, or the file name without
 * its extension.
 */
export function titleOf(requested: string | undefined, inFile?: string, filename?: string): string {
  const fromName = filename?.replace(/^.*[\\/]/, '').replace(/\.\w{1,8}$/, '')
  const title = [requested, inFile, fromName]
    .map((text) => text && withoutDirectionControls(text).trim())
    .find(Boolean)
  // The cut may split a surrogate pair.
  return (title ?? 'New Music Score').slice(0, maxTitleLength).replace(/[\ud800-\udbff]$/, '')
}

/**
 * Checks that a title has at least one visible character.
 * @throws INVALID_PARAMETER
 */
export function checkTitle(title: string | undefined): void {
  if (title?.trim() === '') fail('INVALID_PARAMETER', { param: 'title', message: '`title` is empty.' })
}
