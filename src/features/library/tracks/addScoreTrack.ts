import Type from 'typebox'
import { extension } from '../../../contract/schema.ts'
import { ScoreTrackCreation, ScoreTrackCreationResponse } from '../../../contract/score-tracks.ts'
import type { ScoreTracksTable } from '../../../platform/db/score-tables.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { addStoredBytes } from '../../people/storage/quota.ts'
import { loadCompleteUpload } from '../uploads/policy.ts'
import { giveToTrack } from '../uploads/store.ts'
import { canRead, canWrite, loadScore } from '../scores/policy.ts'
import { mediaAt } from './media.ts'
import { bytesOfPoints, serializeCheckedPoints } from './points.ts'
import { defaultOf } from './policy.ts'
import { presentTrack } from './present.ts'
import { countTracks, insertTrack } from './store.ts'

/**
 * Maximum number of tracks that one user may add to one score. A list returns all tracks with their points.
 */
const maxTracks = 50

export const addScoreTrack = operation({
  id: 'addScoreTrack',
  tag: 'Score',
  summary: 'Add a recording to a score',
  description:
    'The server derives the type of the recording from `url`. A `common` track requires write ' +
    'access to the score. Every user who can read the score can add a `performanceSubmission`. With `upload` instead of ' +
    '`url`, the server keeps the recording itself.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  body: ScoreTrackCreation,
  responses: { 200: ScoreTrackCreationResponse },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const { title = null, purpose = 'common', state = 'draft' } = body
    const permission = purpose === 'common' ? canWrite : canRead
    const loaded = await loadScore(ctx.db.read, actor, params.score, permission, query.sharingKey)
    const { upload: uploadId } = body
    if (uploadId !== undefined && body.url !== undefined) {
      fail('INVALID_PARAMETER', { param: 'url', message: 'A track has either an `upload` or a `url`.' })
    }
    const media =
      uploadId === undefined ? mediaAt(body.url) : ({ type: 'audio', url: null, media_id: null } as const)
    const is_default = defaultOf({ purpose, state }, body.default)
    const points = await serializeCheckedPoints(ctx, loaded.score, body.synchronizationPoints ?? [])
    const track = await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, permission, query.sharingKey)
      if (score.trashed) fail('SCORE_TRASHED')
      if ((await countTracks(tx, { score: score.id, creator: actor.id })) >= maxTracks)
        fail('TOO_MANY_TRACKS')
      const file = uploadId === undefined ? undefined : await loadCompleteUpload(ctx, tx, actor, uploadId)
      const now = ctx.clock.now()
      const row: ScoreTracksTable = {
        ...media,
        id: ctx.newId(),
        score_id: score.id,
        creator_id: actor.id,
        title,
        purpose,
        state,
        is_default,
        points,
        created_at: now,
        modified_at: now,
      }
      await insertTrack(tx, row)
      if (file) await giveToTrack(tx, file.id, row.id)
      await addStoredBytes(ctx, tx, actor.id, bytesOfPoints(points))
      const { id = null, media_type = null, size = null } = file ?? {}
      return { ...row, file_id: id, file_type: media_type, file_size: size }
    })
    return { track: presentTrack(track, ctx.config.publicUrl) }
  },
})
