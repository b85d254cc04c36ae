import { join } from 'node:path'
import type { FilePart } from '../../../engines/hosts/host.ts'
import { engineOf, type ExportFormat, exportFormats } from '../../../engines/formats.ts'
import { isForeignKeyViolation } from '../../../platform/db/violations.ts'
import { Failure, fail } from '../../../errors.ts'
import { type GrowingFile, growingFile, type StoredCopy } from '../../../lib/growing-file.ts'
import { temporaryCopy } from '../../../lib/temporary-copy.ts'
import type { Waiter, Waiters } from '../../../lib/shared-runs.ts'
import { File } from '../../../answer.ts'
import type { Context } from '../../../context.ts'
import { MissingBlob } from '../../../platform/blobs/blob-files.ts'
import { cacheExport, forgetExport, type StoredExport, useExport } from './export-cache.ts'
import { keepFile, makeOnce } from './export-files.ts'
import { makeInOneProcess } from './export-leases.ts'
import { type ExportOptions, isForFew, variantOf } from './export-variant.ts'
import { renderUnlessFailed } from './export-failures.ts'
import { checkPageExists } from './page-counts.ts'
import { findRevision, type RevisionRow } from './revisions.store.ts'

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

const keyOf = (ctx: Context, revision: RevisionRow, options: ExportOptions) => ({
  revision: revision.id,
  variant: variantOf(ctx, options),
})

export const findCachedExport = (
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
): Promise<StoredExport | undefined> => useExport(ctx, keyOf(ctx, revision, options))

/** An export to send, and the number of pages of the score if the format has pages. */
export interface ExportedFile {
  readonly file: File
  readonly pages?: number
}

/**
 * Returns an export as a file to send. Exports that an engine renders are
 * cached as blobs, because rendering is slow, but not those that few readers want.
 * Other exports are kept in memory for a while. Requests for the same export at the same time share one run.
 *
 * Sound that is not cached is sent while it is rendered: the file is returned when its first bytes are there, so an error before
 * them is thrown. A later one breaks the stream.
 */
export async function exportFile(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  title: string,
  waiter: Waiter,
): Promise<ExportedFile> {
  const { mediaType } = exportFormats[options.format]
  const name = exportName(title, options.format)
  const toFile = async (result: ExportBytes): Promise<ExportedFile> => {
    const file =
      'blob' in result
        ? new File(await ctx.blobs.open(ctx.db.read, result.blob), mediaType, name, result.blob)
        : new File(result.body, mediaType, name, result.hash)
    return result.pages === undefined ? { file } : { file, pages: result.pages }
  }
  const result = await exportBytes(ctx, revision, options, waiter)
  return toFile(result).catch(async (error) => {
    // The export was evicted just now, or the installation was restored from a backup, which has no exports.
    if (!(error instanceof MissingBlob) || !engineOf(exportFormats[options.format])) throw error
    await forgetExport(ctx, keyOf(ctx, revision, options))
    return toFile(await exportBytes(ctx, revision, options, waiter))
  })
}

/** A stored export, or a body with its hash if it is known. */
type ExportBytes =
  | StoredExport
  | { readonly body: File['body']; readonly hash?: string; readonly pages?: number | undefined }

async function exportBytes(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<ExportBytes> {
  const key = `${revision.id} ${variantOf(ctx, options)}`
  if (options.format === 'json' && !isForFew(options)) return documentFile(ctx, revision, key)
  if (engineOf(exportFormats[options.format])) {
    return firstOf(waiter, async (waiter): Promise<ExportBytes> => {
      if (!isForFew(options)) {
        const rendered = await renderAndStore(ctx, revision, options, waiter)
        return 'blob' in rendered ? rendered : { body: rendered.bytes, pages: rendered.pages }
      }
      const stored = await findCachedExport(ctx, revision, options)
      if (stored) return stored
      return ctx.sharedRuns(`selection ${key}`, waiter, (waiters) =>
        renderInParts(ctx, revision, options, waiters, async ({ bytes, pages }) => ({ body: bytes, pages })),
      )
    })
  }
  return makeOnce(ctx, key, waiter, async (waiters) => (await render(ctx, revision, options, waiters)).bytes)
}

/** Resolves to the result of `start`, or before it to the stream of a file that is still made. */
async function firstOf(
  waiter: Waiter,
  start: (waiter: Waiter) => Promise<ExportBytes>,
): Promise<ExportBytes> {
  const growing = Promise.withResolvers<GrowingFile>()
  // The signal of a request is a getter, which a spread leaves out.
  const result = start({ ...waiter, signal: waiter.signal, onFile: growing.resolve })
  // When the stream is sent, it also ends with the error.
  result.catch(() => {})
  return Promise.race([growing.promise.then((file) => ({ body: { stream: file.stream() } })), result])
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

/** Renders an export and stores it, unless it is stored already. */
export async function storeExport(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<StoredExport> {
  const result = await renderAndStore(ctx, revision, options, waiter)
  if ('blob' in result) return result
  throw result.reason
}

interface Rendered {
  readonly bytes: Uint8Array
  readonly pages?: number
}

/** A stored export, or the rendered bytes with the reason why they could not be stored. */
type RenderedExport = StoredExport | (Rendered & { readonly reason: Failure })

async function renderAndStore(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiter: Waiter,
): Promise<RenderedExport> {
  const key = keyOf(ctx, revision, options)
  const known = await useExport(ctx, key)
  if (known) return known
  return ctx.sharedRuns(`export ${key.revision} ${key.variant}`, waiter, async (waiters) => {
    // A run of this or another process that has ended meanwhile may have stored the same export.
    const stored = () => useExport(ctx, key)
    return makeInOneProcess(ctx, key, waiters.signal, stored, async (): Promise<RenderedExport> => {
      const store = async (rendered: Rendered): Promise<RenderedExport> => {
        try {
          return await cacheExport(ctx, key, rendered)
        } catch (reason) {
          if (isForeignKeyViolation(reason)) fail('SCORE_NOT_FOUND')
          if (!(reason instanceof Failure)) throw reason
          // The export was rendered, so send it even if it cannot be stored, for example because the disk is
          // full.
          ctx.log.warn({ err: reason, ...key }, 'an export could not be cached')
          return { ...rendered, reason }
        }
      }
      return renderInParts(ctx, revision, options, waiters, store)
    })
  })
}

/**
 * Renders an export and keeps it. Publishes a file that the engine sends in parts as soon as its first bytes are there. The file
 * ends when it is kept, so that the next request gets the kept one.
 */
async function renderInParts<Result extends object>(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiters: Waiters,
  keep: (rendered: Rendered) => Promise<Result>,
): Promise<Result> {
  const file = growingFile()
  let isPublished = false
  const onPart = ({ offset, bytes }: FilePart) => {
    file.add(offset, bytes)
    if (!isPublished) waiters.publish?.(file)
    isPublished = true
  }
  try {
    const result = await keep(await render(ctx, revision, options, waiters, onPart))
    file.end(await copyForReaders(ctx, file))
    return result
  } catch (error) {
    file.fail(error)
    throw error
  }
}

/**
 * Copies a file to the disk for the readers that have not read all of it, so that they hold no memory. If that fails, they get it
 * from memory. The file in the cache would not do: it can be evicted while they read.
 */
async function copyForReaders(ctx: Context, file: GrowingFile): Promise<StoredCopy | undefined> {
  if (!file.hasReaders()) return undefined
  return temporaryCopy(join(ctx.config.dataDir, 'temporary'), file.bytes()).catch((error) => {
    ctx.log.warn({ err: error }, 'a file that is sent could not be copied to the disk')
    return undefined
  })
}

async function render(
  ctx: Context,
  revision: RevisionRow,
  options: ExportOptions,
  waiters: Waiters,
  onPart?: (part: FilePart) => void,
): Promise<Rendered> {
  const { format, parts, page, setup, pitches, chordSymbols: chords, recordingPoints } = options
  if (recordingPoints) return { bytes: Buffer.from(recordingPoints) }
  // The engine lays out all pages to draw one, so it fails on all of them.
  const key = `${revision.id} ${variantOf(ctx, { ...options, page: undefined })}`
  if (format === 'svg') checkPageExists(ctx, revision, key, page ?? 1)
  let pages: number | undefined
  const onPages = (count: number) => {
    pages = count
    ctx.pageCounts.set(key, ctx.clock.now(), count)
  }
  const bytes = await renderUnlessFailed(ctx, key, async () => {
    const document = await readDocument(ctx, revision)
    if (format === 'json' && !isForFew(options)) return document
    return ctx.notation.write(
      { json: Buffer.from(document).toString(), parts, page, setup, pitches, chords, onPages, onPart },
      format,
      waiters,
    )
  })
  return pages === undefined ? { bytes } : { bytes, pages }
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
