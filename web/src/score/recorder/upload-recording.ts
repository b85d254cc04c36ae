import { partBytes } from '../../../../src/contract/recording-files.ts'
import type { RecordingUpload } from '../../../../src/contract/recordings.ts'
import { call } from '../../app/client.ts'
import { isTemporary, pauseAfter } from '../../ui/retries.ts'

/** Parts of this size are sent again after an interruption. Large recordings have larger parts. */
const partSize = (size: number): number => (size > 16 * partBytes.most ? partBytes.most : 4 * partBytes.least)

interface Progress {
  /** @param sent from 0 to 1 */
  onProgress(sent: number): void
  /** Called with true when the network has failed, and with false when it goes on. */
  onWait(isWaiting: boolean): void
}

/**
 * Uploads a recording in parts. When the network fails it waits, asks the server what has arrived, and goes on there.
 * @param key the same for each try, so that no second upload begins
 * @returns the id of the upload
 * @throws Refusal if the server refuses the recording
 */
export async function uploadRecording(
  blob: Blob,
  key: string,
  { onProgress, onWait }: Progress,
): Promise<string> {
  const { size } = blob
  const body = { size }
  let upload: RecordingUpload = await patiently(
    () => call('createRecordingUpload', { body, idempotencyKey: key }),
    onWait,
  )
  const { id } = upload
  const sendNext = async (): Promise<RecordingUpload> => {
    const start = upload.received
    const part = blob.slice(start, start + partSize(size), 'application/octet-stream')
    return call('uploadRecordingPart', {
      params: { upload: id, start },
      body: part,
      onProgress: (sent) => onProgress((start + sent * part.size) / size),
    })
  }
  while (upload.received < size) {
    upload = await patiently(sendNext, onWait, async () => {
      upload = await call('getRecordingUpload', { params: { upload: id } })
    })
    onProgress(upload.received / size)
  }
  return id
}

/**
 * Repeats a request until the server answers it.
 * @param prepare runs before each repetition
 */
export async function patiently<Answer>(
  send: () => Promise<Answer>,
  onWait: (isWaiting: boolean) => void,
  prepare: () => Promise<void> = async () => undefined,
): Promise<Answer> {
  for (let failures = 0; ; failures++) {
    try {
      if (failures > 0) await prepare()
      const answer = await send()
      onWait(false)
      return answer
    } catch (error) {
      if (!isTemporary(error)) throw error
      onWait(true)
      await untilOnline(pauseAfter(failures, error))
    }
  }
}

/** Waits for some seconds, or until the browser is online again. */
function untilOnline(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener('online', done)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, seconds * 1000)
    addEventListener('online', done)
  })
}
