import type { AssignmentState } from '../../src/contract/assignments.ts'
import { insertNewAssignment } from '../../src/features/assignments/new-assignment.ts'
import { updateAssignmentRow } from '../../src/features/assignments/store.ts'
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

/** Puts an assignment into a class, whatever state they are in; its id. */
export async function newAssignmentIn(
  { app: { ctx } }: { app: TestApp },
  classId: string,
  state: AssignmentState = 'active',
): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { owner_id: creator } = await tx
      .selectFrom('classes')
      .where('id', '=', classId)
      .select('owner_id')
      .executeTakeFirstOrThrow()
    const draft = await insertNewAssignment(ctx, tx, { title: 'Waltz', creator, class: classId })
    const published_at = state === 'draft' ? null : draft.created_at
    await updateAssignmentRow(tx, { ...draft, state, published_at })
    return draft.id
  })
}
