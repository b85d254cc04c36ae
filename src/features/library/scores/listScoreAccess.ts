import Type from 'typebox'
import { ScoreAccess } from '../../../contract/score-people.ts'
import { operation } from '../../../operation.ts'
import { listAssignmentAccess, listCollectionAccess, listLibraryAccess } from './indirect-access.store.ts'
import { canAdminister, loadScore } from './policy.ts'

const rights = ['read', 'read', 'write', 'admin'] as const

export const listScoreAccess = operation({
  id: 'listScoreAccess',
  accepts: 'session',
  acceptsDelegated: true,
  tag: 'Score',
  summary: 'List who has access to a score without being a collaborator, and why',
  description:
    'Requires administration rights for the score. At most 200 entries of each kind. `getScoreCollaborators` lists the owner ' +
    'and everybody with whom the score is shared directly.',
  params: Type.Object({ score: Type.String() }),
  responses: { 200: Type.Array(ScoreAccess) },
  async handle({ ctx, actor, params }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canAdminister)
    const { id, owner_id: owner } = score
    const [collections, assignments, libraries] = await Promise.all([
      listCollectionAccess(ctx.db.read, { score: id, owner }),
      listAssignmentAccess(ctx.db.read, { score: id }),
      listLibraryAccess(ctx.db.read, { score: id }),
    ])
    const entries: ScoreAccess[] = [
      ...collections.flatMap(({ title, collection_owner, owner_name, username, group_name, level }) => {
        const entry = { way: 'collection', title, people: null } as const
        const who = username ?? group_name
        return [
          ...(collection_owner === owner ? [] : [{ ...entry, who: owner_name, right: 'write' as const }]),
          // A collection never gives the right to administer the scores in it.
          ...(who === null
            ? []
            : [{ ...entry, who, right: level === 1 ? ('read' as const) : ('write' as const) }]),
        ]
      }),
      ...assignments.map(({ title, level, holders }) => {
        const right = rights[level]
        return { way: 'assignment' as const, title, who: null, people: Number(holders), right }
      }),
      ...libraries.map(({ title }) => {
        return { way: 'library' as const, title, who: null, people: null, right: 'read' as const }
      }),
    ]
    // The owner of a collection is in the rows of all of its grants.
    return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
  },
})
