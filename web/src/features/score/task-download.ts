import type { TaskExportFormat } from '../../../../src/contract/tasks.ts'
import { call, type InputOf } from '../../app/client.ts'

/** The server could not make the file of a task. */
export class FailedExport extends Error {}

interface Wanted {
  score: string
  format: TaskExportFormat
  sharingKey: string | undefined
  options: NonNullable<InputOf<'createExportTask'>['body']>
  /** Ends the waiting. The server has no operation that ends the task. */
  signal: AbortSignal
  onPercent(percent: number): void
}

/**
 * Lets the server make a file in the background, waits for it, and lets the browser save it.
 * @throws Refusal, FailedExport, or the reason of `signal`
 */
export async function downloadByTask(wanted: Wanted): Promise<void> {
  const { score, format, sharingKey, options, signal, onPercent } = wanted
  const { id } = await call('createExportTask', {
    params: { score, revision: 'last', format },
    query: sharingKey === undefined ? {} : { sharingKey },
    body: options,
    signal,
  })
  for (;;) {
    const { state, progress, result } = await call('getTask', { params: { task: id }, signal })
    if (state === 'done' && result?.url !== undefined) return save(result.url)
    if (state === 'done' || state === 'error' || state === 'canceled') throw new FailedExport(result?.error)
    onPercent(Math.floor(progress?.percent ?? 0))
    await new Promise((resolve) => {
      setTimeout(resolve, 1000)
      signal.addEventListener('abort', resolve)
    })
    signal.throwIfAborted()
  }
}

/** The server gives the file its name. */
function save(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
