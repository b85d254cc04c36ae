import Type from 'typebox'
import { extension } from '../../contract/schema.ts'
import { ScoreTrackCreation, ScoreTrackCreationResponse } from '../../contract/score-tracks.ts'
import type { ScoreTracksTable } from '../../db/score-tables.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { canRead, canWrite, loadScore } from '../scores/policy.ts'
import { mediaAt } from './media.ts'
import { checkedPoints } from './points.ts'
import { defaultOf } from './policy.ts'
import { presentTrack } from './present.ts'
import { countTracks, insertTrack } from './store.ts'

/** The tracks that one account may add to one score: a list has all of them, with their points. */
const mostTracks = 50

export const addScoreTrack = operation({
  id: 'addScoreTrack',
  tag: 'Score',
  summary: 'Add a recording to a score',
  description:
    'What kind of recording it is follows from `url`. A `common` one takes writing the score; a `performanceSubmission` ' +
    'may be added by everyone who has an account and can read the score.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  body: ScoreTrackCreation,
  responses: { 200: ScoreTrackCreationResponse },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const { title = null, purpose = 'common', state = 'draft' } = body
    const needed = purpose === 'common' ? canWrite : canRead
    const seen = await loadScore(ctx.db.read, actor, params.score, needed, query.sharingKey)
    const media = mediaAt(body.url)
    const is_default = defaultOf({ purpose, state }, body.default)
    const points = await checkedPoints(ctx, seen.score, body.synchronizationPoints ?? [])
    const track = await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, needed, query.sharingKey)
      if (score.trashed) fail('SCORE_TRASHED')
      if ((await countTracks(tx, { score: score.id, creator: actor.id })) >= mostTracks) fail('TOO_MANY_TRACKS')
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
      return row
    })
    return { track: presentTrack(track) }
  },
})
