import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { contentIn } from '../assignments/content.ts'
import {
  copyAllAttachments,
  copyAttachments,
  copyForeignAttachments,
  countScores,
} from '../assignments/attachment-copies.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { type Attachment, listAttachments, replaceAttachments } from '../assignments/attached.ts'
import { listAssignmentsById, updateAssignmentRow } from '../assignments/store.ts'
import type { Member } from '../organizations/policy.ts'
import { newResource } from './new-resource.ts'
import { type InnerRow, insertResource, type Place } from './store.ts'

/** So that a transaction does not take long: a score costs about as much as a resource, and both some milliseconds. */
const mostCopied = 200

/** @throws TOO_MANY_RESOURCES where more would be copied at once, resources and scores together, than can be */
function checkSize(resources: number, attached: readonly Attachment[]): void {
  if (resources + countScores(attached) > mostCopied) fail('TOO_MANY_RESOURCES')
}

/**
 * Copies a resource and what is in it. What of a folder’s scores cannot be copied is left out.
 * @param rows the resource first, and each folder before what lies in it, as `listInside` has them
 * @returns the id of the copy
 * @throws TOO_MANY_RESOURCES; of an assignment alone as `copyAttachments` does
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
  const attached = await listAttachments(tx, ids)
  checkSize(rows.length, [...attached.values()].flat())
  const alone = rows[0]?.assignment_id
  const attachments = alone
    ? new Map([[alone, await copyAttachments(ctx, tx, actor, alone)]])
    : await copyAllAttachments(ctx, tx, actor, attached)
  const copies = new Map<string, string>()
  let first = ''
  for (const row of rows) {
    const folder = copies.get(row.parent_id ?? '')
    const place = folder ? { ...destination, parent_id: folder, place: folder } : destination
    const assignment = assignments.get(row.assignment_id ?? '')
    const copied = attachments.get(row.assignment_id ?? '') ?? []
    const assignment_id = assignment ? await insertAssignmentCopy(ctx, tx, actor, assignment, copied) : null
    const { type, title, description, description_html, subjects, grades, assignment_type } = row
    const about = { type, title, description, description_html, subjects, grades, assignment_type, assignment_id }
    const copy = newResource(ctx, actor.id, place, about)
    await insertResource(tx, copy)
    copies.set(row.id, copy.id)
    first ||= copy.id
  }
  return first
}

/** Copies an assignment as one that belongs to no class, with what is attached to that. Its id. */
async function insertAssignmentCopy(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  original: AssignmentsTable,
  attachments: readonly Attachment[],
): Promise<string> {
  const about = { title: original.title, creator: actor.id, class: null }
  const copy = await insertNewAssignment(ctx, tx, about)
  await updateAssignmentRow(tx, { ...copy, ...contentIn(original) })
  await replaceAttachments(tx, copy.id, attachments)
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
  const attachments = await copyAttachments(ctx, tx, actor, source.id)
  const assignment_id = await insertAssignmentCopy(ctx, tx, actor, source, attachments)
  const about = { type: 'assignment', title, assignment_id, assignment_type, copied_from } as const
  const resource = newResource(ctx, actor.id, destination, about)
  await insertResource(tx, resource)
  return resource.id
}

/**
 * Makes copies of the scores that others have attached to resources which the actor takes into the own library: what the
 * library of the organization has opened is not open there any more.
 * @throws TOO_MANY_RESOURCES
 */
export async function takeScoresAlong(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  rows: readonly Pick<InnerRow, 'assignment_id'>[],
): Promise<void> {
  const attached = await listAttachments(
    tx,
    rows.flatMap(({ assignment_id }) => assignment_id ?? []),
  )
  checkSize(0, [...attached.values()].flat())
  for (const [id, attachments] of attached) {
    await replaceAttachments(tx, id, await copyForeignAttachments(ctx, tx, actor, attachments))
  }
}
