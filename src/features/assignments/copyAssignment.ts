import Type, { type Static } from 'typebox'
import { AssignmentCopy, AssignmentCopyResponse } from '../../contract/assignments.ts'
import { fail } from '../../errors.ts'
import { type Actor, type Context, operation } from '../../operation.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { composeResourceAssignment } from '../edu-resources/compose.ts'
import { copyFromClass } from '../edu-resources/library-copies.ts'
import { canSee as canSeeResource, loadDestination, loadResource } from '../edu-resources/policy.ts'
import { hasCopyOf } from '../edu-resources/store.ts'
import { checkStaff } from '../organizations/policy.ts'
import { composeAssignment } from './compose.ts'
import { fillDraft } from './copies.ts'
import { loadAssignment, loadDraft, loadManagedAssignment } from './policy.ts'
import { insertNewAssignment } from './new-assignment.ts'

export const copyAssignment = operation({
  id: 'copyAssignment',
  tag: 'Class',
  summary: 'Copy an assignment',
  description:
    'Into a class that you teach: as a new draft, or into the draft that `assignment` names, to become active at ' +
    '`scheduledDate` where one is given. A due date that has passed is not copied. Or into a library, with scores of its ' +
    'own, as the `resource` of the answer.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  body: AssignmentCopy,
  responses: { 200: AssignmentCopyResponse },
  async handle({ ctx, actor, params, body }) {
    if ('libraryParent' in body) return copyToLibrary(ctx, actor, params, body)
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
      const { classroom, assignment: named, scheduledDate } = body
      const { klass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
      const about = { title: source.title, creator: actor.id, class: klass.id }
      const path = { class: klass.id, assignment: named ?? (await insertNewAssignment(ctx, tx, about)).id }
      const { assignment: draft } = await loadDraft(ctx, tx, actor, path, { param: 'assignment' })
      await fillDraft(ctx, tx, actor, { source, draft, klass, scheduledDate })
      return loadManagedAssignment(ctx, tx, actor, path)
    })
    return composeAssignment(ctx.db.read, copy)
  },
})

/** @throws ALREADY_IN_LIBRARY where that is asked and so; as `loadDestination` does */
async function copyToLibrary(
  ctx: Context,
  actor: Actor,
  params: Parameters<typeof loadAssignment>[3],
  {
    libraryParent,
    verifyIfNotAlreadyInResourceLibrary: once,
  }: Extract<Static<typeof AssignmentCopy>, { libraryParent: string }>,
): Promise<Static<typeof AssignmentCopyResponse>> {
  const param = 'libraryParent'
  const copy = await ctx.transaction(async (tx) => {
    const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
    const member = checkStaff(actor)
    const { destination } = await loadDestination(tx, member, libraryParent, param)
    if (once && (await hasCopyOf(tx, source.id, destination))) fail('ALREADY_IN_LIBRARY', { param })
    const id = await copyFromClass(ctx, tx, member, source, destination)
    return loadResource(tx, actor, id, canSeeResource)
  })
  return { ...(await composeResourceAssignment(ctx.db.read, copy)), resource: copy.resource.id }
}
