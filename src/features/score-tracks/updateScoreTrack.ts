import Type from 'typebox'
import { extension } from '../../contract/schema.ts'
import { ScoreTrack, ScoreTrackUpdate } from '../../contract/score-tracks.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { checkedPoints } from './points.ts'
import { canChange, defaultOf, loadOwnTrack } from './policy.ts'
import { presentTrack } from './present.ts'
import { updateTrack } from './store.ts'

export const updateScoreTrack = operation({
  id: 'updateScoreTrack',
  tag: 'Score',
  summary: 'Change a recording that goes with a score',
  description:
    'Changes the fields that are given. A `common` one is changed by the writers of the score, a `performanceSubmission` ' +
    'by its creator; another purpose takes both. What can be the default no longer ceases to be it.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  body: ScoreTrackUpdate,
  responses: { 200: ScoreTrack },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const address = { ...params, ...query }
    const seen = await loadOwnTrack(ctx.db.read, actor, address, canChange)
    const points = body.synchronizationPoints && (await checkedPoints(ctx, seen.score, body.synchronizationPoints))
    const changed = await ctx.transaction(async (tx) => {
      const { track, rights } = await loadOwnTrack(tx, actor, address, canChange)
      const { title = track.title, purpose = track.purpose, state = track.state } = body
      if (!canChange({ ...track, purpose }, rights, actor)) fail('TRACK_ACCESS_DENIED')
      const settings = {
        title,
        purpose,
        state,
        is_default: defaultOf({ purpose, state }, body.default, track.is_default),
        points: points ?? track.points,
        modified_at: ctx.clock.now(),
      }
      await updateTrack(tx, track, settings)
      return { ...track, ...settings }
    })
    return presentTrack(changed)
  },
})
