import type { QueryClient } from '@tanstack/react-query'
import { maxScoreFileBytes } from '../../../src/contract/score-files.ts'
import type { ScoreDetails } from '../../../src/contract/scores.ts'
import type { Task } from '../../../src/contract/tasks.ts'
import { call } from '../app/client.ts'
import { toBase64 } from './base64.ts'
import { isTemporary, newKey, pauseAfter } from './retries.ts'
import { type Upload, uploadList } from './upload-list.ts'

const { change, set } = uploadList

export const isPending = ({ state }: Upload): boolean => state !== 'done' && state !== 'failed'

/** The server takes two large bodies of a user at the same time (docs/limits.md). */
const maxSending = 2

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
  set([...uploadList.now(), ...added])
  sendNext(queries)
}

/** Tries failed and paused uploads again, or one of them. */
export function retry(queries: QueryClient, id?: string): void {
  set(
    uploadList
      .now()
      .map((one) =>
        (one.state === 'failed' || one.state === 'paused') && (id === undefined || one.id === id)
          ? { ...one, state: 'waiting', error: undefined }
          : one,
      ),
  )
  sendNext(queries)
}

/** Removes the uploads that have ended from the list. */
export const clearUploads = (): void => set(uploadList.now().filter(isPending))

function sendNext(queries: QueryClient): void {
  const sending = uploadList.now().filter(({ state }) => state === 'sending' || state === 'importing').length
  const next = uploadList
    .now()
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(maxSending - sending, 0))
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
      if (uploadList.now().some((one) => one.id === id && one.percent !== percent)) change(id, { percent })
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

/** Waits, also for the network, and then repeats the upload with the same key. */
function pause(queries: QueryClient, { id }: Upload, error: unknown): void {
  const pauses = uploadList.now().find((one) => one.id === id)?.pauses ?? 0
  change(id, { state: 'paused', error, pauses: pauses + 1 })
  const seconds = pauseAfter(pauses, error)
  const resume = (): void => {
    removeEventListener('online', resume)
    clearTimeout(timer)
    if (uploadList.now().some((one) => one.id === id && one.state === 'paused')) retry(queries, id)
  }
  const timer = setTimeout(resume, seconds * 1000)
  addEventListener('online', resume)
}

/** The browser asks before it closes the page while files are on their way. */
function toggleWarning(): void {
  if (uploadList.now().some(isPending)) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

const warn = (event: Event): void => event.preventDefault()
