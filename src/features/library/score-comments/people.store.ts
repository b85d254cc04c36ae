import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'

/** The number of people, and of groups, that a search finds. */
const most = 10

interface Search {
  score: string
  owner: string
  viewer: string
  /** An empty string if the viewer has none. */
  organization: string
  /** Whether the viewer finds all members of the organization, and not only those of the own groups. */
  isStaff: 0 | 1
  /** The key of a whole username. */
  username: string
  /** Patterns of the first two words, which occur in the names. */
  first: string
  second: string
}

/**
 * Finds people by their names: members of the viewer's organization, people who have access to the score already, and anybody
 * whose username is known.
 */
export const findPeople = compiled((db, p: Params<Search>) =>
  db
    .selectFrom('users')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('users.deletion_at', 'is', null)
    .where('users.id', '<>', p('viewer'))
    // The people are chosen first, because a search by name alone would read all accounts of the server.
    .where(
      sql<boolean>`users.id in (
        select id from users where username_key = ${p('username')}
        union all select cast(${p('owner')} as text)
        union all select user_id from grants where score_id = ${p('score')}
        union all select id from users where organization_id = ${p('organization')} and ${p('isStaff')} = 1
        union all select shared.user_id from group_members as shared
          inner join group_members as own on own.group_id = shared.group_id
          inner join users as member on member.id = shared.user_id
          where own.user_id = ${p('viewer')} and member.organization_id = ${p('organization')}
      )`,
    )
    .where(
      sql<boolean>`(users.username_key = ${p('username')} or (
        users.name_key like ${p('first')} escape '\\' and users.name_key like ${p('second')} escape '\\'
      ))`,
    )
    .select(['users.id', 'users.username', 'users.firstname', 'users.lastname'])
    .select(['users.organization_id', 'users.organization_role', 'organizations.allows_public_scores'])
    .orderBy('users.name_key')
    .orderBy('users.id')
    .limit(sql.lit(most)),
)

/** Finds groups of the viewer, and those of the viewer's classes, by their names. */
export const findOwnGroups = compiled(
  (db, p: Params<Pick<Search, 'viewer' | 'organization' | 'first' | 'second'>>) =>
    db
      .selectFrom('groups')
      .where('groups.organization_id', '=', p('organization'))
      .where(
        sql<boolean>`groups.name_key like ${p('first')} escape '\\' and groups.name_key like ${p('second')} escape '\\'`,
      )
      .where(
        sql<boolean>`(groups.id in (select group_id from group_members where user_id = ${p('viewer')})
          or groups.class_id in (
            select taught.class_id from groups as taught
              inner join group_members on group_members.group_id = taught.id
              where taught.type = 'classTeachers' and group_members.user_id = ${p('viewer')}
          ))`,
      )
      .select(['groups.id', 'groups.name', 'groups.type'])
      .orderBy('groups.name_key')
      .orderBy('groups.id')
      .limit(sql.lit(most)),
)
