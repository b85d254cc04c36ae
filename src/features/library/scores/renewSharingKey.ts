import Type from 'typebox'
import { ScoreDetails } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { newSharingKey } from '../sharing/sharing-key.ts'
import { composeScore } from './compose.ts'
import { canAdminister, loadScore } from './policy.ts'
import { updateSharingKey } from './store.ts'

export const renewSharingKey = operation({
  id: 'renewSharingKey',
  tag: 'Score',
  summary: 'Replace the sharing key of a score',
  description:
    'Requires administration rights for the score. Links with the old key stop working immediately. A ' +
    'change of the privacy to `privateLink` replaces the key as well.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  responses: { 200: ScoreDetails },
  errors: [403, 404],
  async handle({ ctx, actor, params, request }) {
    const renewed = await ctx.transaction(async (tx) => {
      const { score, ...relation } = await loadScore(tx, actor, params.score, canAdminister)
      if (score.trashed) fail('SCORE_TRASHED')
      const sharing_key = newSharingKey()
      await updateSharingKey(tx, score.id, sharing_key)
      return { score: { ...score, sharing_key }, ...relation }
    })
    return composeScore(ctx, ctx.db.read, actor, renewed, request.locale())
  },
})
