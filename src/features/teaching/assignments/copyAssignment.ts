import Type, { type Static } from 'typebox'
import { AssignmentCopy, AssignmentCopyResponse } from '../../../contract/assignments.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { composeResourceAssignment } from '../resources/compose.ts'
import { copyAssignmentFromClass } from '../resources/library-copies.ts'
import { loadDestination } from '../resources/places.ts'
import { canSee as canSeeResource, loadResource } from '../resources/policy.ts'
import { hasCopyOf } from '../resources/store.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { composeAssignment } from './compose.ts'
import { copyToClass } from './copies.ts'
import { loadAssignment } from './policy.ts'

export const copyAssignment = operation({
  id: 'copyAssignment',
  tag: 'Class',
  summary: 'Copy an assignment',
  description:
    'Copies the assignment into a class that the caller teaches, as a new draft or into the draft ' +
    'that `assignment` names. The copy becomes active at `scheduledDate`, if given. A due date in ' +
    'the past is not copied. The assignment can also be copied into a library. The response then ' +
    'contains the new `resource`. The copy has its own scores, which belong to the caller.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  body: AssignmentCopy,
  responses: { 200: AssignmentCopyResponse },
  async handle({ ctx, actor, params, body }) {
    if (isToLibrary(body)) return copyToLibrary(ctx, actor, params, body)
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
      const { classroom, assignment: draft, scheduledDate } = body
      const { schoolClass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
      return copyToClass(ctx, tx, actor, { source, schoolClass, draft, scheduledDate })
    })
    return composeAssignment(ctx.db.read, copy)
  },
})

type Copy = Static<typeof AssignmentCopy>
type CopyToLibrary = Extract<Copy, { libraryParent: string }>

/** Whether the target is a library. A body with a class may have any value in `libraryParent`. */
const isToLibrary = (body: Copy): body is CopyToLibrary =>
  'libraryParent' in body && typeof body.libraryParent === 'string'

/** @throws ALREADY_IN_LIBRARY when the body asks to verify it; and the errors of `loadDestination` */
async function copyToLibrary(
  ctx: Context,
  actor: Actor,
  params: Parameters<typeof loadAssignment>[3],
  { libraryParent, verifyIfNotAlreadyInResourceLibrary: once }: CopyToLibrary,
): Promise<Static<typeof AssignmentCopyResponse>> {
  const param = 'libraryParent'
  const copy = await ctx.transaction(async (tx) => {
    const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
    const member = checkStaff(actor)
    const { destination } = await loadDestination(tx, member, libraryParent, param)
    if (once && (await hasCopyOf(tx, source.id, destination))) fail('ALREADY_IN_LIBRARY', { param })
    const resource = await copyAssignmentFromClass(ctx, tx, member, source, destination)
    return loadResource(tx, actor, resource, canSeeResource)
  })
  return { ...(await composeResourceAssignment(ctx.db.read, copy)), resource: copy.resource.id }
}
