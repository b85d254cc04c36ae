import { useSyncExternalStore } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { maxScoreFileBytes } from '../../../src/contract/score-files.ts'
import type { ImportWarning, ScoreDetails } from '../../../src/contract/scores.ts'
import type { Task } from '../../../src/contract/tasks.ts'
import { call, Refusal } from '../app/client.ts'
import { toBase64 } from './base64.ts'

/** A file on its way to the server. */
export interface Upload {
  readonly id: string
  readonly file: File
  /** The collection that receives the score; `root` for none. */
  readonly collection: string
  /** A paused upload goes on by itself. */
  readonly state: 'waiting' | 'sending' | 'paused' | 'importing' | 'done' | 'failed'
  /** How much of the file has been sent, in percent. */
  readonly percent: number
  /** How often it was paused. */
  readonly pauses: number
  readonly score?: { readonly id: string; readonly title: string }
  /** What was changed in the file so that it could be imported. */
  readonly warnings?: readonly ImportWarning[]
  readonly error?: unknown
}

// The uploads go on while the user opens other pages of the app, so they belong to no component.
let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(changed: readonly Upload[]): void {
  uploads = changed
  for (const listener of listeners) listener()
}

const change = (id: string, changes: Partial<Upload>): void =>
  set(uploads.map((one) => (one.id === id ? { ...one, ...changes } : one)))

/** Returns the uploads since the user last closed the list of them. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads)

export const isPending = ({ state }: Upload): boolean => state !== 'done' && state !== 'failed'

/** The server takes two large bodies of a user at the same time (docs/limits.md). */
const maxSending = 2

/** `crypto.randomUUID` exists only in pages that were loaded by TLS. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Uploads files. Each becomes a score. */
export function upload(queries: QueryClient, files: readonly File[], collection: string): void {
  const added = files.map((file) => ({
    id: newKey(),
    file,
    collection,
    state: 'waiting' as const,
    percent: 0,
    pauses: 0,
  }))
  set([...uploads, ...added])
  sendNext(queries)
}

/** Tries failed and paused uploads again, or one of them. */
export function retry(queries: QueryClient, id?: string): void {
  set(
    uploads.map((one) =>
      (one.state === 'failed' || one.state === 'paused') && (id === undefined || one.id === id)
        ? { ...one, state: 'waiting', error: undefined }
        : one,
    ),
  )
  sendNext(queries)
}

/** Removes the uploads that have ended from the list. */
export const clearUploads = (): void => set(uploads.filter(isPending))

function sendNext(queries: QueryClient): void {
  const sending = uploads.filter(({ state }) => state === 'sending' || state === 'importing').length
  const next = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(maxSending - sending, 0))
  for (const one of next) {
    change(one.id, { state: 'sending', percent: 0 })
    void send(one)
      .catch((error: unknown) =>
        isTemporary(error) ? pause(queries, one, error) : change(one.id, { state: 'failed', error }),
      )
      .then(() => {
        sendNext(queries)
        void queries.invalidateQueries({ queryKey: ['lists'] })
        void queries.invalidateQueries({ queryKey: ['collections'] })
      })
  }
  toggleWarning()
}

async function send({ id, file, collection }: Upload): Promise<void> {
  if (file.size > maxScoreFileBytes) throw new FileTooLarge()
  const data = await toBase64(file)
  const created = await call('createScore', {
    body: {
      data,
      dataEncoding: 'base64',
      filename: file.name,
      privacy: 'private',
      collection,
      supportsTasks: true,
    },
    // A repeated upload whose first answer was lost does not create a second score.
    idempotencyKey: id,
    onProgress(sent) {
      const percent = Math.floor(sent * 100)
      if (uploads.some((one) => one.id === id && one.percent !== percent)) change(id, { percent })
    },
  })
  const score = isTask(created) ? await importedBy(created, id) : created
  change(id, {
    state: 'done',
    score: { id: score.id, title: score.title },
    warnings: score.importWarnings ?? [],
  })
}

const isTask = (created: ScoreDetails | Task): created is Task => 'state' in created

/** The import of a large file failed after the file had arrived. */
export class FailedImport extends Error {}

/** The server would refuse the file, so it is not sent. */
export class FileTooLarge extends Error {}

async function importedBy(task: Task, id: string): Promise<ScoreDetails> {
  change(id, { state: 'importing' })
  for (let current = task; ; current = await call('getTask', { params: { task: task.id } })) {
    if (current.state === 'done' && current.score !== undefined)
      return call('getScore', { params: { score: current.score } })
    if (current.state === 'error' || current.state === 'canceled')
      throw new FailedImport(current.result?.error)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Refusals of a server that is busy, or that still handles the same upload or others of the user. */
const temporaryCodes: ReadonlySet<string> = new Set([
  'API_RATE_LIMIT_EXCEEDED',
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
  'TOO_MANY_TASKS',
])

/** Whether the same upload can succeed later without the user: there is no network, or the server is busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.status === 0 || error.status === 408 || error.status >= 502 || temporaryCodes.has(error.code))

/** Seconds until a paused upload goes on, for the first pause, the second, … */
const pauseSeconds = [1, 2, 5, 10, 30]

/** Waits, also for the network, and then repeats the upload with the same key. */
function pause(queries: QueryClient, { id }: Upload, error: unknown): void {
  const pauses = uploads.find((one) => one.id === id)?.pauses ?? 0
  change(id, { state: 'paused', error, pauses: pauses + 1 })
  const seconds = Math.max(
    pauseSeconds[pauses] ?? Math.max(...pauseSeconds),
    error instanceof Refusal ? error.retryAfter : 0,
  )
  const resume = (): void => {
    removeEventListener('online', resume)
    clearTimeout(timer)
    if (uploads.some((one) => one.id === id && one.state === 'paused')) retry(queries, id)
  }
  const timer = setTimeout(resume, seconds * 1000)
  addEventListener('online', resume)
}

/** The browser asks before it closes the page while files are on their way. */
function toggleWarning(): void {
  if (uploads.some(isPending)) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

const warn = (event: Event): void => event.preventDefault()
