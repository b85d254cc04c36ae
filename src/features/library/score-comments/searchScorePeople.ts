import Type from 'typebox'
import { ScorePeople } from '../../../contract/score-people.ts'
import { containsPattern } from '../../../platform/db/expressions.ts'
import { operation } from '../../../operation.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { canSeeUser } from '../../people/users/policy.ts'
import { canAdminister, canRead, canShareWith, loadScore } from '../scores/policy.ts'
import { findOwnGroups, findPeople } from './people.store.ts'
import { listReadersAmong } from './store.ts'

export const searchScorePeople = operation({
  id: 'searchScorePeople',
  accepts: 'session',
  acceptsDelegated: true,
  tag: 'Score',
  summary: 'Find people and groups by name, to share a score with them or to mention them',
  description:
    'Staff find all members of their organization, students those of their classes. Everybody finds those who have access ' +
    'to the score, and others by their whole username. With `canRead`, only people who can read the score are found, and no ' +
    'groups. Without it, the caller must be an administrator of the score.',
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 100 })),
    canRead: Type.Optional(Type.Boolean()),
    sharingKey: Type.Optional(Type.String()),
  }),
  responses: { 200: ScorePeople },
  async handle({ ctx, actor, params, query: { q = '', canRead: mustRead = false, sharingKey } }) {
    const queries = ctx.db.read
    const needed = mustRead ? canRead : canAdminister
    const { score, owner } = await loadScore(queries, actor, params.score, needed, sharingKey)
    const [first = '', second = ''] = q
      .trim()
      .split(/\s+/)
      .map((word) => containsPattern(sortKey(word)))
    const search = {
      viewer: actor.id,
      organization: actor.organization ?? '',
      first: first || '%',
      second: second || '%',
    }
    const [found, groups] = await Promise.all([
      findPeople(queries, {
        ...search,
        score: score.id,
        owner: owner.id,
        isStaff: actor.organizationRole === 'user' ? 0 : 1,
        username: sortKey(q.trim()),
      }),
      mustRead || !actor.organization ? [] : findOwnGroups(queries, search),
    ])
    const visible = found.filter((user) => canSeeUser(actor, user))
    const readers = mustRead
      ? await listReadersAmong(
          queries,
          score.id,
          visible.map(({ id }) => id),
        )
      : []
    const people = mustRead
      ? visible.filter(({ id }) => readers.some((reader) => reader.id === id))
      : visible.filter((user) => user.id !== owner.id && canShareWith(owner, user))
    return {
      people: people.map(({ id, username, firstname, lastname }) => ({
        id,
        username,
        name: [firstname, lastname].filter(Boolean).join(' ') || username,
      })),
      groups,
    }
  },
})
