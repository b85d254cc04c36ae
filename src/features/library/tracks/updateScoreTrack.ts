import Type from 'typebox'
import { extension } from '../../../contract/schema.ts'
import { ScoreTrack, ScoreTrackUpdate } from '../../../contract/score-tracks.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { addStoredBytes, changeStoredBytes } from '../../people/storage/quota.ts'
import { bytesOfPoints, serializeCheckedPoints } from './points.ts'
import { canChange, defaultOf, loadTrackFor } from './policy.ts'
import { presentTrack } from './present.ts'
import { updateTrack } from './store.ts'

export const updateScoreTrack = operation({
  id: 'updateScoreTrack',
  tag: 'Score',
  summary: 'Update a recording of a score',
  description:
    'Changes the fields in the body. Writers of the score can change a `common` track. The creator ' +
    'can change a `performanceSubmission`. A change of the purpose requires both rights. A track ' +
    'that can no longer be the default stops being the default.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  body: ScoreTrackUpdate,
  responses: { 200: ScoreTrack },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const address = { ...params, ...query }
    const seen = await loadTrackFor(ctx.db.read, actor, address, canChange)
    const points =
      body.synchronizationPoints &&
      (await serializeCheckedPoints(ctx, seen.score, body.synchronizationPoints))
    const changed = await ctx.transaction(async (tx) => {
      const { track, rights } = await loadTrackFor(tx, actor, address, canChange)
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
      const more = bytesOfPoints(settings.points) - bytesOfPoints(track.points)
      if (more > 0) await addStoredBytes(ctx, tx, track.creator_id, more, actor.id)
      if (more < 0) await changeStoredBytes(tx, track.creator_id, more)
      return { ...track, ...settings }
    })
    return presentTrack(changed, ctx.config.publicUrl)
  },
})
