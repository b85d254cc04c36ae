import Type from 'typebox'
import { ScoreComparison } from '../../../contract/scores.ts'
import { operation } from '../../../operation.ts'
import type { Context } from '../../../context.ts'
import { canRead, loadScore } from './policy.ts'
import type { RevisionRow } from './revisions.store.ts'
import { openRevision } from './write-credits.ts'

const unchanged: ScoreComparison = { parts: [], measures: [] }

const revisionField = (name: string) =>
  Type.Optional(Type.String({ description: `The id of the ${name} revision, or \`last\`.`, default: 'last' }))

export const compareScoreRevisions = operation({
  id: 'compareScoreRevisions',
  tag: 'Score',
  summary: 'Compare two revisions of a score',
  description:
    'Lists the measures and parts that were added, removed or changed. A measure or part is the same in both if it has the same ' +
    'uuid. Layout does not count.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    from: revisionField('earlier'),
    to: revisionField('later'),
    sharingKey: Type.Optional(Type.String()),
  }),
  responses: { 200: ScoreComparison },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const from = await openRevision(ctx, score, query.from ?? 'last', request)
    const to = await openRevision(ctx, score, query.to ?? 'last', request)
    return ctx.sharedRuns(`comparison ${from.id} ${to.id}`, request, async (waiters) => {
      if (from.document_blob === to.document_blob) return unchanged
      const [before, after] = await Promise.all([textOf(ctx, from), textOf(ctx, to)])
      return present(await ctx.notation.compare(before, after, waiters))
    })
  },
})

const present = ({ parts, measures }: ScoreComparison): ScoreComparison => ({
  parts,
  measures: measures.map(({ uuid, number, change, parts: changed }) => ({
    uuid,
    number,
    change,
    parts: changed.map(({ part, name, additions, deletions, hasOtherChanges }) => ({
      part,
      name,
      additions,
      deletions,
      hasOtherChanges,
    })),
  })),
})

const textOf = async ({ blobs, db }: Context, { document_blob }: RevisionRow): Promise<string> =>
  Buffer.from(await blobs.read(db.read, document_blob)).toString()
