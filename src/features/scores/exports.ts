import { hash } from 'node:crypto'
import type { BlobBody } from '../../blobs/blob-store.ts'
import type { Queries } from '../../db/database.ts'
import type { ExportFormat } from '../../engines/notation.ts'
import { isForeignKeyViolation } from '../../db/violations.ts'
import { Failure, fail } from '../../errors.ts'
import { type Context, File } from '../../operation.ts'
import { findExport, findRevision, insertExport, type RevisionRow } from './revisions.ts'

/** What of a revision is asked for. */
export interface Wanted {
  format: ExportFormat
  /** The uuids of the parts; all where nothing is said. */
  parts?: readonly string[] | undefined
  /** Of an `svg`, from 1, which is also what it is where nothing is said. */
  page?: number | undefined
  /** Instead of synchronization points of a playback, those of a recording, as JSON. */
  recorded?: string | undefined
}

const formats: Record<ExportFormat, { mediaType: string; extension: string; engine: boolean }> = {
  json: { mediaType: 'application/json', extension: 'json', engine: false },
  xml: { mediaType: 'application/vnd.recordare.musicxml+xml', extension: 'musicxml', engine: false },
  mxl: { mediaType: 'application/vnd.recordare.musicxml', extension: 'mxl', engine: false },
  midi: { mediaType: 'audio/midi', extension: 'mid', engine: false },
  synchronizationPoints: { mediaType: 'application/json', extension: 'sync.json', engine: false },
  svg: { mediaType: 'image/svg+xml', extension: 'svg', engine: true },
  pdf: { mediaType: 'application/pdf', extension: 'pdf', engine: true },
  'thumbnail.png': { mediaType: 'image/png', extension: 'png', engine: true },
  mp3: { mediaType: 'audio/mp3', extension: 'mp3', engine: true },
  wav: { mediaType: 'audio/wav', extension: 'wav', engine: true },
}

/** The media types of all formats, for the document. */
export const exportMediaTypes: readonly string[] = [
  ...new Set(Object.values(formats).map(({ mediaType }) => mediaType)),
]

/** File systems take names of 255 bytes; the extension needs some of them. */
const longestName = 240

/** What a file of this format is called. */
function exportName(title: string, format: ExportFormat): string {
  const safe = title.replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|\s]+/gu, ' ').trim()
  // The cut may go through a character, which then ends in the sign for what cannot be decoded.
  const name = Buffer.from(safe)
    .subarray(0, longestName)
    .toString()
    .replace(/\uFFFD$/, '')
    .trim()
  return `${name || 'score'}.${formats[format].extension}`
}

/**
 * Whether the revision has the parts that are asked for: found out before anything is begun.
 * @throws INVALID_PARAMETER (`parts`) for one that it has not, and for none at all
 */
export function checkParts(revision: RevisionRow, parts: readonly string[] | undefined): void {
  if (!parts) return
  if (parts.length === 0) fail('INVALID_PARAMETER', { param: 'parts', message: 'At least one part is needed.' })
  const known: readonly string[] = JSON.parse(revision.part_uuids)
  const unknown = parts.find((part) => !known.includes(part))
  if (unknown !== undefined) fail('INVALID_PARAMETER', { param: 'parts', message: `The score has no part ${unknown}.` })
}

/** Parts and points as a hash: a hundred uuids are too long for an index. */
function variantOf({ format, parts, page = 1, recorded }: Wanted): string {
  const choices = [
    ...(recorded ? [`recorded=${hash('sha256', recorded, 'base64url')}`] : []),
    ...(format === 'svg' && page > 1 ? [`page=${page}`] : []),
    ...(parts ? [`parts=${hash('sha256', [...new Set(parts)].sort().join(','), 'base64url')}`] : []),
  ]
  return choices.length > 0 ? `${format}?${choices.join('&')}` : format
}

/** The blob of an export that was made before. */
export async function findMadeExport(
  queries: Queries,
  revision: RevisionRow,
  wanted: Wanted,
): Promise<string | undefined> {
  return findExport(queries, revision.id, variantOf(wanted))
}

/** An export as a file to send: made now, or what was made before. What an engine makes is kept: it took long. */
export async function exportFile(ctx: Context, revision: RevisionRow, wanted: Wanted, title: string): Promise<File> {
  const { mediaType } = formats[wanted.format]
  return new File(await exportBody(ctx, revision, wanted), mediaType, exportName(title, wanted.format))
}

async function exportBody(ctx: Context, revision: RevisionRow, wanted: Wanted): Promise<BlobBody> {
  if (wanted.format === 'json' && !wanted.parts) return ctx.blobs.open(ctx.db.read, revision.document_blob)
  if (!formats[wanted.format].engine) return make(ctx, revision, wanted)
  const made = await makeAndKeep(ctx, revision, wanted)
  return 'blob' in made ? ctx.blobs.open(ctx.db.read, made.blob) : made.bytes
}

/**
 * Makes an export and keeps it, unless it was kept before.
 * @param report is told how far it is, in percent
 * @returns the hash of its blob
 */
export async function keepExport(
  ctx: Context,
  revision: RevisionRow,
  wanted: Wanted,
  report?: (percent: number) => void,
): Promise<string> {
  const made = await makeAndKeep(ctx, revision, wanted, report)
  if ('blob' in made) return made.blob
  throw made.reason
}

/** What was kept; or the bytes that were made, and why they cannot be kept. */
type Made = { readonly blob: string } | { readonly bytes: Uint8Array; readonly reason: Failure }

async function makeAndKeep(
  ctx: Context,
  revision: RevisionRow,
  wanted: Wanted,
  report?: (percent: number) => void,
): Promise<Made> {
  const variant = variantOf(wanted)
  const blob = await findExport(ctx.db.read, revision.id, variant)
  if (blob) return { blob }
  return ctx.inTurn(`export ${revision.id} ${variant}`, async () => {
    // Whoever was before in the queue has made it.
    const madeMeanwhile = await findExport(ctx.db.read, revision.id, variant)
    if (madeMeanwhile) return { blob: madeMeanwhile }
    const bytes = await make(ctx, revision, wanted, report)
    try {
      const prepared = await ctx.blobs.prepare(bytes)
      await ctx.transaction(async (tx) => {
        await ctx.blobs.insert(tx, prepared)
        await insertExport(tx, { revision_id: revision.id, variant, blob: prepared.hash, created_at: ctx.clock.now() })
      })
      return { blob: prepared.hash }
    } catch (reason) {
      if (isForeignKeyViolation(reason)) fail('SCORE_NOT_FOUND')
      if (!(reason instanceof Failure)) throw reason
      // The disk is full, say: no reason to withhold it from who waits for it.
      ctx.log.warn({ err: reason, revision: revision.id, variant }, 'an export cannot be kept')
      return { bytes, reason }
    }
  })
}

async function make(
  ctx: Context,
  revision: RevisionRow,
  { format, parts, page, recorded }: Wanted,
  report?: (percent: number) => void,
): Promise<Uint8Array> {
  if (recorded) return Buffer.from(recorded)
  const document = await readDocument(ctx, revision)
  if (format === 'json' && !parts) return document
  return ctx.notation.write({ json: Buffer.from(document).toString(), parts, page }, format, report)
}

/** @throws SCORE_NOT_FOUND where the score was deleted since the revision was loaded */
async function readDocument(ctx: Context, revision: RevisionRow): Promise<Uint8Array> {
  try {
    return await ctx.blobs.read(ctx.db.read, revision.document_blob)
  } catch (error) {
    const { score_id: score, id } = revision
    if (await findRevision(ctx.db.read, { score, id })) throw error
    fail('SCORE_NOT_FOUND')
  }
}

/** An address of an export that needs no token. */
export function exportUrl(ctx: Context, blob: string, title: string, format: ExportFormat): string {
  return ctx.links.urlOf({ blob, name: exportName(title, format), mediaType: formats[format].mediaType })
}

/** What a task keeps of an export. */
export function exportResult(blob: string, title: string, format: ExportFormat) {
  return { result_blob: blob, result_name: exportName(title, format), result_media_type: formats[format].mediaType }
}
