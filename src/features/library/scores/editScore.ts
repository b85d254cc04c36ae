import Type from 'typebox'
import { ScoreDetails, ScoreModification } from '../../../contract/scores.ts'
import { deferredWrite } from '../../../platform/db/connection.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import { checkStorage } from '../../people/storage/quota.ts'
import { findUse } from '../../people/storage/store.ts'
import { composeScore } from './compose.ts'
import { checkTitle } from './contents.ts'
import { addPending, creditsIn } from './pending-credits.ts'
import { canAdminister, canWrite, checkPrivacy, type LoadedScore, loadScore } from './policy.ts'
import { searchKeyOf } from './search-key.ts'
import { newSharingKey } from '../sharing/sharing-key.ts'
import { composerKey } from './composer-key.ts'
import { type ScoreMetadata, type ScoreRow, updateScoreMetadata } from './store.ts'
import { enqueueWriting } from './write-credits.ts'

export const editScore = operation({
  id: 'editScore',
  alsoMethod: 'POST',
  tag: 'Score',
  summary: 'Update the metadata of a score',
  description:
    'Changes the fields in the body. `null` clears a field. Only an administrator of the score can ' +
    'change its privacy and sharing key. A change of the privacy to `privateLink` without a key creates ' +
    'a new one. Title, subtitle, composer, lyricist and arranger are also written into the document, ' +
    'which is later saved as a new revision with the same notes. Every export has them at once.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreModification,
  responses: { 200: ScoreDetails },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body, request }) {
    checkTitle(body.title)
    const edited = await ctx.transaction((tx) => edit(ctx, tx, actor, params.score, body))
    return composeScore(ctx, ctx.db.read, actor, edited, request.locale())
  },
})

async function edit(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  id: string,
  change: ScoreModification,
): Promise<LoadedScore> {
  const { privacy, sharingKey } = change
  const changesAccess = privacy !== undefined || sharingKey !== undefined
  const credits = creditsIn(change)
  const [{ score, ...loaded }, [use]] = await Promise.all([
    loadScore(tx, actor, id, changesAccess ? canAdminister : canWrite),
    credits ? findUse(tx, { user: actor.id }) : [],
  ])
  if (score.trashed) fail('SCORE_TRASHED')
  if (privacy && privacy !== score.privacy) await checkPrivacy(tx, score.owner_id, privacy)
  // The new revision is saved later, when the client can no longer be told that there is no room for it.
  if (credits) await checkStorage(ctx, tx, score.owner_id, { id: actor.id, use })
  const metadata = {
    ...mergedMetadata(score, change, ctx.clock.now()),
    pending_credits: credits
      ? addPending(score.pending_credits, { user: actor.id, credits })
      : score.pending_credits,
  }
  await recordEvent(ctx, tx, {
    user: score.owner_id,
    type: 'score.updated',
    actor: actor.id,
    objects: { score: score.id },
  })
  deferredWrite(tx, updateScoreMetadata(tx, score, metadata))
  if (credits && score.pending_credits === null) await enqueueWriting(ctx, tx, score)
  return { ...loaded, score: { ...score, ...metadata } }
}

function mergedMetadata(
  score: ScoreRow,
  change: ScoreModification,
  now: number,
): Omit<ScoreMetadata, 'pending_credits'> {
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
  const title_key = change.title === undefined ? score.title_key : sortKey(title)
  return {
    ...texts,
    title_key,
    composer_key: composerKey(texts.composer, title_key),
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
