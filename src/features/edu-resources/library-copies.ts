import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Context } from '../../operation.ts'
import { contentIn } from '../assignments/content.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { replaceAttachments, updateAssignmentRow } from '../assignments/store.ts'
import type { Member } from '../organizations/policy.ts'
import { copyAttachments } from './copies.ts'
import { newResource } from './new-resource.ts'
import { type InnerRow, insertResource, listAssignmentsById, type Place } from './store.ts'

/**
 * Copies a resource and what is in it.
 * @param rows the resource first, and each folder before what lies in it, as `listInside` has them
 * @returns the id of the copy
 */
export async function copyInto(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  rows: readonly InnerRow[],
  destination: Place,
): Promise<string> {
  const ids = rows.flatMap(({ assignment_id }) => assignment_id ?? [])
  const assignments = new Map((await listAssignmentsById(tx, ids)).map((row) => [row.id, row]))
  const copies = new Map<string, string>()
  let first = ''
  for (const row of rows) {
    const folder = copies.get(row.parent_id ?? '')
    const place = folder ? { ...destination, parent_id: folder, place: folder } : destination
    const assignment = assignments.get(row.assignment_id ?? '')
    const assignment_id = assignment ? await insertAssignmentCopy(ctx, tx, actor, assignment) : null
    const { type, title, description, description_html, subjects, grades, assignment_type } = row
    const about = { type, title, description, description_html, subjects, grades, assignment_type, assignment_id }
    const copy = newResource(ctx, actor.id, place, about)
    await insertResource(tx, copy)
    copies.set(row.id, copy.id)
    first ||= copy.id
  }
  return first
}

/** Copies an assignment, with its scores, as one that belongs to no class. Its id. */
async function insertAssignmentCopy(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  original: AssignmentsTable,
): Promise<string> {
  const about = { title: original.title, creator: actor.id, class: null }
  const copy = await insertNewAssignment(ctx, tx, about)
  await updateAssignmentRow(tx, { ...copy, ...contentIn(original) })
  await replaceAttachments(tx, copy.id, await copyAttachments(ctx, tx, actor, original))
  return copy.id
}

/** Puts a copy of an assignment of a class into a library. The id of the resource. */
export async function copyFromClass(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  source: AssignmentsTable,
  destination: Place,
): Promise<string> {
  const { id: copied_from, title, type: assignment_type } = source
  const assignment_id = await insertAssignmentCopy(ctx, tx, actor, source)
  const about = { type: 'assignment', title, assignment_id, assignment_type, copied_from } as const
  const resource = newResource(ctx, actor.id, destination, about)
  await insertResource(tx, resource)
  return resource.id
}
