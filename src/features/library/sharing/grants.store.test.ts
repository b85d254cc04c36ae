import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { type AssignmentGrant, replaceAssignmentGrants } from './assignment-grants.store.ts'

describeEachDatabase('replaceAssignmentGrants', (databases) => {
  const app = useApp(databases)

  it('creates and deletes many grants in few statements', async () => {
    const { id, tess } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess] })
    await storeStudents(app, id, schoolClass, 100)
    const { id: assignment } = await newAssignment(tess, schoolClass)
    const scores: string[] = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => (await tess.post('/scores', emptyPiano())).body.id),
    )
    const { ctx } = app
    const members = await ctx.db.read
      .selectFrom('group_members')
      .where('group_id', '=', schoolClass.studentsGroup)
      .select('user_id')
      .execute()
    const to = (
      level: AssignmentGrant['level'],
      scores: readonly string[],
      count = members.length,
    ): AssignmentGrant[] =>
      scores.flatMap((score) =>
        members.slice(0, count).map(({ user_id: user }) => ({ score, holder: { user }, level })),
      )
    const replace = (grants: AssignmentGrant[]) =>
      ctx.transaction((tx) =>
        queriesOf(tx, (counted) =>
          replaceAssignmentGrants(counted, { assignment }, grants, { newId: ctx.newId, by: tess.id, now: 1 }),
        ),
      )
    const grantCount = async () =>
      (
        await ctx.db.read
          .selectFrom('scores')
          .where('id', 'in', scores)
          .select('grants')
          .orderBy('id')
          .execute()
      ).map(({ grants }) => grants)

    expect(await replace(to(1, scores))).toBe(5)
    expect(await grantCount()).toEqual([100, 100, 100, 100, 100])
    expect(await replace([...to(2, scores.slice(0, 1)), ...to(1, scores.slice(1))])).toBe(4)
    expect(await replace(to(1, scores.slice(1), 40))).toBe(3)
    const rows = await ctx.db.read
      .selectFrom('grants')
      .where('assignment_id', '=', assignment)
      .selectAll()
      .execute()
    expect(rows.map(({ score_id, user_id, level }) => `${score_id} ${user_id} ${level}`).sort()).toEqual(
      to(1, scores.slice(1), 40)
        .map(({ score, holder, level }) => `${score} ${'user' in holder ? holder.user : ''} ${level}`)
        .sort(),
    )
    expect((await grantCount()).toSorted()).toEqual([0, 40, 40, 40, 40])
    expect(await replace(to(1, scores.slice(1), 40))).toBe(1)
  })
})
