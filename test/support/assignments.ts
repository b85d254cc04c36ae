import { newAssignment as blankAssignment } from '../../src/features/assignments/new-assignment.ts'
import { insertAssignment } from '../../src/features/assignments/store.ts'
import type { Person, TestApp } from './app.ts'
import type { TestClass } from './classes.ts'

/** Sets a class some work, as one of its teachers does: published and for everyone unless it says otherwise. */
export async function newAssignment(
  teacher: Person,
  { id }: Pick<TestClass, 'id'>,
  about: object = {},
): Promise<{ id: string }> {
  const { status, body } = await teacher.post(`/classes/${id}/assignments`, {
    title: 'Waltz',
    state: 'active',
    ...about,
  })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Puts a published assignment into a class, whatever state that is in; its id. */
export async function newAssignmentIn({ app: { ctx } }: { app: TestApp }, classId: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { owner_id: creator } = await tx
      .selectFrom('classes')
      .where('id', '=', classId)
      .select('owner_id')
      .executeTakeFirstOrThrow()
    const draft = blankAssignment(ctx, { title: 'Waltz', creator, class: classId })
    await insertAssignment(tx, { ...draft, state: 'active' })
    return draft.id
  })
}
