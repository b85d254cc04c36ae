import Type from 'typebox'
import { extension } from '../../../contract/schema.ts'
import { fail, Failure } from '../../../errors.ts'
import { Answer, File } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { changeEvent } from './change-events.ts'
import type { Admission } from './change-feed.ts'
import { readStates } from './changes.store.ts'
import { canRead, findReadableScore, type LoadedScore, loadScore } from './policy.ts'

const mediaType = 'text/event-stream'

/** Proxies must pass events on at once. */
const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/** A caller who is no longer admitted is nobody. Other errors say nothing about the caller. */
function refused(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status >= 500) throw error
}

export const getScoreChanges = operation({
  id: 'getScoreChanges',
  tag: 'Score',
  summary: 'Follow the changes of a score',
  description:
    'A stream of server-sent events. `change` says what has changed since the event before: `revision`, `details` ' +
    '(title, privacy, …), `comments` or `sharing`. The client then reads what it shows again. The first event comes at once. ' +
    'It compares with `Last-Event-ID` if the request has this header. `end` says why the stream ends: `deleted` ' +
    '(also: moved to the trash), `access` (the score is no longer open to the caller), `session` (the session or token ' +
    'has ended) or `shutdown` (of the server). Without `follow=true`, the stream ends after the first event.',
  scopes: ['scores.readonly', 'scores.social', 'scores'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    follow: Type.Optional(
      Type.Boolean({ ...extension, description: 'Whether the stream stays open for later events.' }),
    ),
  }),
  responses: { 200: { files: [mediaType] } },
  errors: [403, 404, 409, 429],
  async handle({ ctx, actor, params, query: { sharingKey, follow = false }, request }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, sharingKey)
    const { id: score, trashed } = loaded.score
    if (trashed) fail('SCORE_TRASHED')
    const seesOf = ({ isFromLibrary }: LoadedScore) => ({
      comments: !isFromLibrary,
      sharing: actor !== undefined,
    })
    const state = (await readStates(ctx.db.read, [score])).get(score)
    if (!state) fail('SCORE_NOT_FOUND')
    const open = request.stayOpen()
    const { lastEventId } = open
    const sees = seesOf(loaded)
    if (!follow) {
      const { text } = changeEvent(state, sees, lastEventId, true) ?? { text: '' }
      return new Answer(new File(Buffer.from(text), mediaType), { headers })
    }
    async function admit(): Promise<Admission> {
      const viewer = await open.viewerNow().catch(refused)
      if (viewer?.id !== actor?.id) return 'session'
      const readable = await findReadableScore(ctx.db.read, viewer, score, sharingKey)
      return readable ? seesOf(readable) : 'access'
    }
    const { caller } = request
    const followed = { score, caller, isAccount: actor !== undefined, state, sees, lastEventId, admit }
    const { stream, leave } = ctx.changeFeed.follow(followed)
    open.onClose(leave)
    return new Answer(new File({ stream }, mediaType), { headers })
  },
})
