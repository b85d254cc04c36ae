import Type from 'typebox'
import { ScoreDetails, ScoreModification } from '../../../contract/scores.ts'
import { deferredWrite } from '../../../platform/db/connection.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Waiter } from '../../../lib/shared-runs.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { composeScore } from './compose.ts'
import { checkTitle, storingContents } from './contents.ts'
import { insertDocument, type NewDocument, onLastRevision, prepareCredits } from './document-changes.ts'
import { canAdminister, canWrite, checkPrivacy, type LoadedScore, loadScore } from './policy.ts'
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
    'a new one. Title, subtitle, composer, lyricist and arranger are also written into the document, ' +
    'which is saved as a new revision with the same notes, so that all exports have them.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreModification,
  responses: { 200: ScoreDetails },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body, request }) {
    checkTitle(body.title)
    const edited = hasCredits(body)
      ? await editCredits(ctx, actor, params.score, body, request)
      : await ctx.transaction((tx) => edit(ctx, tx, actor, params.score, body))
    return composeScore(ctx, ctx.db.read, actor, edited, request.locale())
  },
})

const hasCredits = ({ title, subtitle, composer, lyricist, arranger }: ScoreModification): boolean =>
  [title, subtitle, composer, lyricist, arranger].some((text) => text !== undefined)

/** Changes the metadata of a score, and its document if there is a new one. */
async function edit(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  id: string,
  change: ScoreModification,
  document?: NewDocument,
): Promise<LoadedScore> {
  const { score, ...loaded } = await loadEditable(tx, actor, id, change)
  if (change.privacy && change.privacy !== score.privacy) {
    await checkPrivacy(tx, score.owner_id, change.privacy)
  }
  const metadata = mergedMetadata(score, change, ctx.clock.now())
  const contents = document ? await insertDocument(ctx, tx, actor, score, document, metadata) : {}
  deferredWrite(tx, updateScoreMetadata(tx, score.id, metadata))
  return { ...loaded, score: { ...score, ...metadata, ...contents } }
}

/** @throws as `loadScore` does; SCORE_TRASHED */
async function loadEditable(
  queries: Queries,
  actor: Actor,
  id: string,
  { privacy, sharingKey }: ScoreModification,
): Promise<LoadedScore> {
  const changesAccess = privacy !== undefined || sharingKey !== undefined
  const loaded = await loadScore(queries, actor, id, changesAccess ? canAdminister : canWrite)
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return loaded
}

/** Changes credits in the metadata and in the document, on top of the last revision. */
async function editCredits(
  ctx: Context,
  actor: Actor,
  id: string,
  change: ScoreModification,
  waiter: Waiter,
): Promise<LoadedScore> {
  await loadEditable(ctx.db.read, actor, id, change)
  return onLastRevision(ctx, id, waiter, async () => {
    const { score } = await loadEditable(ctx.db.read, actor, id, change)
    const document = await prepareCredits(ctx, score, change, waiter)
    const save = async (tx: Transaction) => {
      const { score: now } = await loadScore(tx, actor, id, canWrite)
      if (now.last_revision_id !== score.last_revision_id) return undefined
      return edit(ctx, tx, actor, id, change, document)
    }
    if (!document) return ctx.transaction(save)
    return storingContents(ctx, document, () => ctx.transaction(save))
  })
}

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
