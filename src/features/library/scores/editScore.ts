import Type from 'typebox'
import { ScoreDetails, ScoreModification } from '../../../contract/scores.ts'
import { deferredWrite } from '../../../platform/db/connection.ts'
import { fail } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { operation } from '../../../operation.ts'
import { composeScore } from './compose.ts'
import { checkTitle } from './contents.ts'
import { canAdminister, canWrite, checkPrivacy, loadScore } from './policy.ts'
import { searchKeyOf } from './search-key.ts'
import { newSharingKey } from '../sharing/sharing-key.ts'
import { type ScoreMetadata, type ScoreRow, updateScoreMetadata } from './store.ts'

export const editScore = operation({
  id: 'editScore',
  alsoMethod: 'POST',
  tag: 'Score',
  summary: 'Update the metadata of a score',
  description:
    'Changes the fields in the body. `null` clears a field. Only an administrator of the score can ' +
    'change its privacy and sharing key. A change of the privacy to `privateLink` without a key creates ' +
    'a new one.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreModification,
  responses: { 200: ScoreDetails },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body, request }) {
    checkTitle(body.title)
    const changesAccess = body.privacy !== undefined || body.sharingKey !== undefined
    const edited = await ctx.transaction(async (tx) => {
      const { score, owner, rights } = await loadScore(
        tx,
        actor,
        params.score,
        changesAccess ? canAdminister : canWrite,
      )
      if (score.trashed) fail('SCORE_TRASHED')
      if (body.privacy && body.privacy !== score.privacy) await checkPrivacy(tx, score.owner_id, body.privacy)
      const metadata = mergedMetadata(score, body, ctx.clock.now())
      deferredWrite(tx, updateScoreMetadata(tx, score.id, metadata))
      return { score: { ...score, ...metadata }, owner, rights }
    })
    return composeScore(ctx, ctx.db.read, actor, edited, request.locale())
  },
})

function mergedMetadata(score: ScoreRow, change: ScoreModification, now: number): ScoreMetadata {
  const title = change.title ?? score.title
  const privacy = change.privacy ?? score.privacy
  // An earlier link must not open the score again.
  const needsKey = privacy === 'privateLink' && score.privacy !== 'privateLink'
  const texts = {
    title,
    subtitle: valueOr(change.subtitle, score.subtitle),
    composer: valueOr(change.composer, score.composer),
    lyricist: valueOr(change.lyricist, score.lyricist),
    arranger: valueOr(change.arranger, score.arranger),
  }
  return {
    ...texts,
    title_key: change.title === undefined ? score.title_key : sortKey(title),
    search_key: searchKeyOf({ ...texts, instruments: score.instruments }),
    description: valueOr(change.description, score.description),
    tags: change.tags ? JSON.stringify(change.tags) : score.tags,
    creation_type: valueOr(change.creationType, score.creation_type),
    license: valueOr(change.license, score.license),
    license_text: valueOr(change.licenseText, score.license_text),
    privacy,
    sharing_key: change.sharingKey ?? (needsKey ? newSharingKey() : score.sharing_key),
    published_at: privacy === 'public' ? (score.published_at ?? now) : score.published_at,
    modified_at: now,
  }
}

/** Returns the given value, or the stored value if none was given. Null is a given value. */
function valueOr<Value>(value: Value | undefined, stored: Value): Value {
  return value === undefined ? stored : value
}
