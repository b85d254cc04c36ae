import type { AssignmentState } from '../../src/contract/assignments.ts'
import { insertNewAssignment } from '../../src/features/teaching/assignments/new-assignment.ts'
import { updateAssignmentRow } from '../../src/features/teaching/assignments/store.ts'
import type { Person, TestApp } from './app.ts'
import type { TestClass } from './classes.ts'

/** Creates an assignment by a request of a teacher. By default it is published and assigned to everyone. */
export async function newAssignment(
  teacher: Person,
  { id }: Pick<TestClass, 'id'>,
  overrides: object = {},
): Promise<{ id: string }> {
  const { status, body } = await teacher.post(`/classes/${id}/assignments`, {
    title: 'Waltz',
    state: 'active',
    ...overrides,
  })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Inserts an assignment into a class, whatever the state of both. Returns its id. */
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
