import Type from 'typebox'
import { TrackLink } from '../../../contract/recordings.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { linkLifetime } from '../../../lib/signed-links.ts'
import { operation } from '../../../operation.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { fileOf, loadTrack } from './policy.ts'

export const createScoreTrackLink = operation({
  id: 'createScoreTrackLink',
  tag: 'Score',
  summary: 'Create an address that plays a recording',
  description:
    'Returns an address that needs no credentials for 15 minutes, because a player of a browser cannot send any. Only for ' +
    'recordings that the server stores.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  returnsSecret: true,
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: TrackLink },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const file = fileOf(await loadTrack(ctx.db.read, actor, loaded, params.track))
    const expirationDate = dateTime(ctx.clock.now() + linkLifetime)
    return { url: ctx.links.urlOf(file), mediaType: file.mediaType, expirationDate }
  },
})
