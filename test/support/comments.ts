import type { ScoreCommentsTable } from '../../src/platform/db/score-tables.ts'
import { insertComment } from '../../src/features/library/score-comments/store.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

/**
 * Inserts a comment on a score, even one that no request could create. Returns its id. The default author is
 * the owner of the score.
 */
export async function newComment(
  { ctx }: TestApp,
  score: string,
  overrides: Partial<
    Pick<ScoreCommentsTable, 'user_id' | 'reply_to' | 'comment' | 'hidden' | 'context'>
  > = {},
): Promise<string> {
  const id = ctx.newId()
  await ctx.transaction(async (tx) => {
    const { owner_id, last_revision_id } = await tx
      .selectFrom('scores')
      .select(['owner_id', 'last_revision_id'])
      .where('id', '=', score)
      .executeTakeFirstOrThrow()
    const {
      user_id = owner_id,
      reply_to = null,
      comment = 'Well done',
      hidden = null,
      context = null,
    } = overrides
    const row = {
      id,
      score_id: score,
      revision_id: last_revision_id,
      user_id,
      reply_to,
      comment,
      raw_comment: comment,
      mentions: '[]',
      context,
      resolved_by: null,
      hidden,
      created_at: ctx.clock.now(),
      modified_at: null,
    }
    await insertComment(tx, row, context !== null)
  })
  return id
}

/** Returns the uuids of the parts and measures of a revision, and a position for an inline comment. */
export async function placesIn(client: Client, score: string, revision = 'last') {
  const { body } = await client.get(`/scores/${score}/revisions/${revision}/json`)
  const document: { part: { $uuid: string; measure: { $uuid: string }[] }[] } = body['score-partwise']
  const parts = document.part.map(({ $uuid }) => $uuid)
  const measures = document.part[0]?.measure.map(({ $uuid }) => $uuid) ?? []
  const numbers = { startTimePos: 0, stopTimePos: 1.5, startDpq: 1, stopDpq: 2 }
  const place = { partUuid: parts[0] ?? '', measureUuids: measures.slice(0, 1), ...numbers }
  return { parts, measures, place }
}
