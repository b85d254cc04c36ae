import { hash } from 'node:crypto'
import { engineOf, type ExportFormat, exportFormats } from '../../../engines/formats.ts'
import { isForeignKeyViolation } from '../../../platform/db/violations.ts'
import { Failure, fail } from '../../../errors.ts'
import type { Waiter, Waiters } from '../../../lib/shared-runs.ts'
import { File } from '../../../answer.ts'
import type { Context } from '../../../context.ts'
import { MissingBlob } from '../../../platform/blobs/blob-files.ts'
import type { BlobBody } from '../../../platform/blobs/blob-store.ts'
import { cacheExport, forgetExport, useExport } from './export-cache.ts'
import { keepFile, makeOnce } from './export-files.ts'
import { makeInOneProcess } from './export-leases.ts'
import { renderUnlessFailed } from './export-failures.ts'
import { checkPageExists } from './page-counts.ts'
import { findRevision, type RevisionRow } from './revisions.store.ts'

/** The options of an export of a revision. */
export interface ExportOptions {
  format: ExportFormat
  /** The uuids of the parts. All parts by default. */
  parts?: readonly string[] | undefined
  /** The page of an `svg`, from 1. The first page by default. */
  page?: number | undefined
  /** Synchronization points of a recording as JSON, which replace those of the playback. */
  recordingPoints?: string | undefined
}

/** The media types of all formats, for the OpenAPI document. */
export const exportMediaTypes: readonly string[] = [
  ...new Set(Object.values(exportFormats).map(({ mediaType }) => mediaType)),
]

/** File systems limit names to 255 bytes, which include the extension. */
const maxNameBytes = 240

/** Returns the file name of an export. */
function exportName(title: string, format: ExportFormat): string {
  const safe = title.replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|\s]+/gu, ' ').trim()
  // The cut can split a character, which is then decoded as U+FFFD.
  const name = Buffer.from(safe)
    .subarray(0, maxNameBytes)
    .toString()
    .replace(/\uFFFD$/, '')
    .trim()
  return `${name || 'score'}.${exportFormats[format].extension}`
}

/**
 * Returns the requested parts of the revision, or undefined if these are all of its parts. An empty list means all parts.
 * @throws INVALID_PARAMETER (`parts`) for an unknown part
 */
export function selectedParts(
  revision: RevisionRow,
  parts: readonly string[] | undefined,
): string[] | undefined {
  if (!parts || parts.length === 0) return undefined
  const known: readonly string[] = JSON.parse(revision.part_uuids)
  const unknown = parts.find((part) => !known.includes(part))
  if (unknown !== undefined)
    fail('INVALID_PARAMETER', { param: 'parts', message: `The score has no part ${unknown}.` })
  const selected = new Set(parts)
  return selected.size === known.length ? undefined : [...selected]
}

/**
 * Returns the key of an export. Parts and points are hashed because a hundred uuids are too long for an
 * index.
 */
function variantOf({ format, parts, page = 1, recordingPoints }: ExportOptions): string {
  const choices = [
    ...(recordingPoints ? [`recorded=${hash('sha256', recordingPoints, 'base64url')}`] : []),
    ...(format === 'svg' && page > 1 ? [`page=${page}`] : []),
    ...(parts ? [`parts=${hash('sha256', parts.toSorted().join(','), 'base64url')}`] : []),
  ]
  return choices.length > 0 ? `${format}?${choices.join('&')}` : format
}

const keyOf = (revision: RevisionRow, options: ExportOptions) => ({
  revision: revision.id,
  variant: variantOf(options),
})

/** Returns the hash of the blob of a cached export. */
export const findCachedExport = (
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
): Promise<string | undefined> => useExport(ctx, keyOf(revision, options))

/**
 * Returns an export as a file to send. Exports that an engine renders are
 * cached as blobs, because rendering is slow, but not those of a selection of parts: there are too many selections.
 * Other exports are kept in memory for a while. Requests for the same export at the same time share one run.
 */
export async function exportFile(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  title: string,
  waiter: Waiter,
): Promise<File> {
  const { mediaType } = exportFormats[options.format]
  const name = exportName(title, options.format)
  const toFile = async (result: ExportBytes) =>
    'blob' in result
      ? new File(await ctx.blobs.open(ctx.db.read, result.blob), mediaType, name, result.blob)
      : new File(result.body, mediaType, name, result.hash)
  const result = await exportBytes(ctx, revision, options, waiter)
  return toFile(result).catch(async (error) => {
    // The export was evicted just now, or the installation was restored from a backup, which has no exports.
    if (!(error instanceof MissingBlob) || !engineOf(exportFormats[options.format])) throw error
    await forgetExport(ctx, keyOf(revision, options))
    return toFile(await exportBytes(ctx, revision, options, waiter))
  })
}

/** The hash of a stored blob, or a body with its hash if it is known. */
type ExportBytes = { readonly blob: string } | { readonly body: BlobBody; readonly hash?: string }

async function exportBytes(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<ExportBytes> {
  const key = `${revision.id} ${variantOf(options)}`
  if (options.format === 'json' && !options.parts) return documentFile(ctx, revision, key)
  if (engineOf(exportFormats[options.format])) {
    if (!options.parts) {
      const rendered = await renderAndStore(ctx, revision, options, waiter)
      return 'blob' in rendered ? rendered : { body: rendered.bytes }
    }
    const blob = await findCachedExport(ctx, revision, options)
    if (blob) return { blob }
    return ctx.sharedRuns(`selection ${key}`, waiter, async (waiters) => ({
      body: await render(ctx, revision, options, waiters),
    }))
  }
  return makeOnce(ctx, key, waiter, (waiters) => render(ctx, revision, options, waiters))
}

/** Returns the document of a revision, which is an export in the JSON form. A large one is streamed each time. */
async function documentFile(
  ctx: Context,
  { document_blob: hash }: RevisionRow,
  key: string,
): Promise<ExportBytes> {
  const kept = ctx.exportFiles.get(key)
  if (kept) return kept
  const body = await ctx.blobs.open(ctx.db.read, hash)
  if (body instanceof Uint8Array) keepFile(ctx, key, { body, hash })
  return { body, hash }
}

/**
 * Renders an export and stores it, unless it is stored already.
 * @returns the hash of the blob
 */
export async function storeExport(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<string> {
  const result = await renderAndStore(ctx, revision, options, waiter)
  if ('blob' in result) return result.blob
  throw result.reason
}

/** The hash of the stored blob, or the rendered bytes with the reason why they could not be stored. */
type RenderedExport = { readonly blob: string } | { readonly bytes: Uint8Array; readonly reason: Failure }

async function renderAndStore(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<RenderedExport> {
  const key = keyOf(revision, options)
  const blob = await useExport(ctx, key)
  if (blob) return { blob }
  return ctx.sharedRuns(`export ${key.revision} ${key.variant}`, waiter, async (waiters) => {
    // A run of this or another process that has ended meanwhile may have stored the same export.
    const stored = async () => {
      const blob = await useExport(ctx, key)
      return blob ? { blob } : undefined
    }
    return makeInOneProcess(ctx, key, waiters.signal, stored, async (): Promise<RenderedExport> => {
      const bytes = await render(ctx, revision, options, waiters)
      try {
        return { blob: await cacheExport(ctx, key, bytes) }
      } catch (reason) {
        if (isForeignKeyViolation(reason)) fail('SCORE_NOT_FOUND')
        if (!(reason instanceof Failure)) throw reason
        // The export was rendered, so send it even if it cannot be stored, for example because the disk is
        // full.
        ctx.log.warn({ err: reason, ...key }, 'an export could not be cached')
        return { bytes, reason }
      }
    })
  })
}

async function render(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiters: Waiters,
): Promise<Uint8Array> {
  const { format, parts, page, recordingPoints } = options
  if (recordingPoints) return Buffer.from(recordingPoints)
  // The engine lays out all pages to draw one, so it fails on all of them.
  const key = `${revision.id} ${variantOf({ format, parts })}`
  if (format === 'svg') checkPageExists(ctx, revision, key, page ?? 1)
  const onPages = (pages: number) => ctx.pageCounts.set(key, ctx.clock.now(), pages)
  return renderUnlessFailed(ctx, key, async () => {
    const document = await readDocument(ctx, revision)
    if (format === 'json' && !parts) return document
    return ctx.notation.write(
      { json: Buffer.from(document).toString(), parts, page, onPages },
      format,
      waiters,
    )
  })
}

/** @throws SCORE_NOT_FOUND if the score was deleted after the revision was loaded */
async function readDocument(ctx: Context, revision: RevisionRow): Promise<Uint8Array> {
  try {
    return await ctx.blobs.read(ctx.db.read, revision.document_blob)
  } catch (error) {
    const { score_id: score, id } = revision
    if (await findRevision(ctx.db.read, { score, id })) throw error
    fail('SCORE_NOT_FOUND')
  }
}

/** Returns a signed URL of an export, which needs no token. */
export function exportUrl(ctx: Context, blob: string, title: string, format: ExportFormat): string {
  return ctx.links.urlOf({
    blob,
    name: exportName(title, format),
    mediaType: exportFormats[format].mediaType,
  })
}

/** Returns the columns of a task that describe its exported file. */
export function exportResult(blob: string, title: string, format: ExportFormat) {
  return {
    result_hash: blob,
    result_name: exportName(title, format),
    result_media_type: exportFormats[format].mediaType,
  }
}
