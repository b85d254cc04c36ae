import Type, { type Static } from 'typebox'
import { AssignmentCopy, AssignmentCopyResponse } from '../../contract/assignments.ts'
import { fail } from '../../errors.ts'
import { type Actor, type Context, operation } from '../../operation.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { composeResourceAssignment } from '../edu-resources/compose.ts'
import { copyFromClass } from '../edu-resources/library-copies.ts'
import { loadDestination } from '../edu-resources/places.ts'
import { canSee as canSeeResource, loadResource } from '../edu-resources/policy.ts'
import { hasCopyOf } from '../edu-resources/store.ts'
import { checkStaff } from '../organizations/policy.ts'
import { composeAssignment } from './compose.ts'
import { copyToClass } from './copies.ts'
import { loadAssignment } from './policy.ts'

export const copyAssignment = operation({
  id: 'copyAssignment',
  tag: 'Class',
  summary: 'Copy an assignment',
  description:
    'Into a class that you teach: as a new draft, or into the draft that `assignment` names, to become active at ' +
    '`scheduledDate` where one is given. A due date that has passed is not copied. Or into a library, as the `resource` of ' +
    'the answer. Either has scores of its own, which belong to you.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  body: AssignmentCopy,
  responses: { 200: AssignmentCopyResponse },
  async handle({ ctx, actor, params, body }) {
    if (isToLibrary(body)) return copyToLibrary(ctx, actor, params, body)
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
      const { classroom, assignment: draft, scheduledDate } = body
      const { klass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
      return copyToClass(ctx, tx, actor, { source, klass, draft, scheduledDate })
    })
    return composeAssignment(ctx.db.read, copy)
  },
})

type Copy = Static<typeof AssignmentCopy>
type CopyToLibrary = Extract<Copy, { libraryParent: string }>

/** A body is one of the two; where it is that to a class, `libraryParent` can be anything. */
const isToLibrary = (body: Copy): body is CopyToLibrary =>
  'libraryParent' in body && typeof body.libraryParent === 'string'

/** @throws ALREADY_IN_LIBRARY where that is asked and so; as `loadDestination` does */
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
    const resource = await copyFromClass(ctx, tx, member, source, destination)
    return loadResource(tx, actor, resource, canSeeResource)
  })
  return { ...(await composeResourceAssignment(ctx.db.read, copy)), resource: copy.resource.id }
}
