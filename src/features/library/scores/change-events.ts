import type { ScoreState } from './changes.store.ts'

/** Why a stream ends. */
export type EndReason = 'deleted' | 'access' | 'session' | 'shutdown'

/** What of the changes a reader may know. */
export interface Sees {
  readonly comments: boolean
  readonly sharing: boolean
}

/** Keeps a connection open without an event. */
export const commentLine = ':\n\n'

export const endEvent = (reason: EndReason): string => `event: end\ndata: ${JSON.stringify({ reason })}\n\n`

const idOf = ({ revision, modified, comments, sharing }: ScoreState, sees: Sees): string =>
  [revision, modified, sees.comments ? comments : '', sees.sharing ? sharing : ''].join('-')

const aspects = ['revision', 'details', 'comments', 'sharing'] as const

/**
 * Returns the event that tells a client what has changed since another event. The id is the state itself, so every process can
 * compute the difference, and a client that was away gets one event.
 * @param since the id of the last event that the client has received. With another text, everything counts as changed
 * @param isFirst whether it is the first event of a connection, which is sent even if nothing has changed
 * @returns undefined if there is nothing to tell
 */
export function changeEvent(
  state: ScoreState,
  sees: Sees,
  since: string | undefined,
  isFirst: boolean,
): { id: string; text: string } | undefined {
  const id = idOf(state, sees)
  if (id === since && !isFirst) return undefined
  const [now, before] = [id.split('-'), since?.split('-')]
  const changed = before
    ? aspects.filter((_, index) => now[index] !== before[index] && now[index] !== '')
    : []
  const data = JSON.stringify({ changed, revision: state.revision })
  return { id, text: `id: ${id}\nevent: change\ndata: ${data}\n\n` }
}
