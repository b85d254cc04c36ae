import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../app/client.ts'
import { newKey } from '../../ui/retries.ts'
import { sharedList } from '../../ui/shared-list.ts'
import type { SynchronizationPoint } from '../player/places.ts'
import { patiently, uploadRecording } from './upload-recording.ts'

/** A recording on this device. */
export interface Take {
  readonly id: string
  readonly score: string
  /** Counts the takes of a score from 1. Undefined for a file that the user has chosen. */
  readonly number?: number
  readonly title: string
  readonly blob: Blob
  /** Plays the recording on this page. */
  readonly address: string
  /** 0 if it is not known. */
  readonly seconds: number
  readonly points: readonly SynchronizationPoint[]
  readonly state: 'here' | 'sending' | 'waiting' | 'sent' | 'failed'
  /** How much has been sent, in percent. */
  readonly percent: number
  readonly error?: unknown
}

const list = sharedList<Take>()
const { change } = list

/** Returns the takes of all scores. */
export const useTakes = list.use

function set(changed: readonly Take[]): void {
  list.set(changed)
  warnIfNeeded()
}

/** The browser asks before it closes the page and loses a recording. */
function warnIfNeeded(): void {
  if (list.now().some(({ state }) => state !== 'sent')) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

const warn = (event: Event): void => event.preventDefault()

/** Returns the number of the next take of a score. */
export const nextNumber = (score: string): number =>
  Math.max(
    0,
    ...list
      .now()
      .filter((take) => take.score === score)
      .map(({ number = 0 }) => number),
  ) + 1

export function addTake(
  take: Pick<Take, 'score' | 'number' | 'title' | 'blob' | 'seconds' | 'points'>,
): void {
  const address = URL.createObjectURL(take.blob)
  set([...list.now(), { ...take, id: newKey(), address, state: 'here', percent: 0 }])
}

export function removeTake({ id, address }: Take): void {
  set(list.now().filter((one) => one.id !== id))
  URL.revokeObjectURL(address)
}

/** Sends a take to the server, as a performance of the user. */
export async function sendTake(
  queries: QueryClient,
  { id, score, title, blob, points }: Take,
): Promise<void> {
  change(id, { state: 'sending', percent: 0, error: undefined })
  const onWait = (isWaiting: boolean) => change(id, { state: isWaiting ? 'waiting' : 'sending' })
  try {
    const upload = await uploadRecording(blob, id, {
      onWait,
      onProgress(sent) {
        const percent = Math.floor(sent * 100)
        if (list.now().some((one) => one.id === id && one.percent !== percent)) change(id, { percent })
      },
    })
    const body = { upload, title, purpose: 'performanceSubmission', state: 'completed' } as const
    const request = {
      params: { score },
      body: { ...body, synchronizationPoints: [...points] },
      idempotencyKey: `${id}-track`,
    }
    await patiently(() => call('addScoreTrack', request), onWait)
    change(id, { state: 'sent', percent: 100 })
    warnIfNeeded()
    await queries.invalidateQueries({ queryKey: ['scores', score, 'recordings'] })
  } catch (error) {
    change(id, { state: 'failed', error })
  }
}
