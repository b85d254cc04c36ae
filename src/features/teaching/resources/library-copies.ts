import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { contentColumns } from '../assignments/content.ts'
import {
  copyAllAttachments,
  copyAttachments,
  copyForeignAttachments,
  countScores,
} from '../assignments/attachment-copies.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { type Attachment, listAttachments, replaceAttachments } from '../assignments/attachments.store.ts'
import { listAssignmentsById, updateAssignmentRow } from '../assignments/store.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { newResource } from './new-resource.ts'
import { type SubtreeRow, insertResource, type ResourceLocation } from './store.ts'

/**
 * The maximum number of resources and scores that one request copies. It bounds the duration of the
 * transaction: each takes some milliseconds.
 */
const maxCopied = 200

/**
 * Checks the number of resources and scores that a request copies.
 * @throws TOO_MANY_RESOURCES
 */
function checkSize(resources: number, attached: readonly Attachment[]): void {
  if (resources + countScores(attached) > maxCopied) fail('TOO_MANY_RESOURCES')
}

/**
 * Copies a resource with its contents. Scores in a folder that the actor cannot copy are left out.
 * @param rows the resource and its contents, each folder before its contents, as `listSubtree` returns them
 * @returns the id of the copy
 * @throws TOO_MANY_RESOURCES; for a single assignment the errors of `copyAttachments`
 */
export async function copySubtree(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  rows: readonly SubtreeRow[],
  destination: ResourceLocation,
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
    const content = {
      type,
      title,
      description,
      description_html,
      subjects,
      grades,
      assignment_type,
      assignment_id,
    }
    const copy = newResource(ctx, actor.id, place, content)
    await insertResource(tx, copy)
    copies.set(row.id, copy.id)
    first ||= copy.id
  }
  return first
}

/** Copies an assignment with these attachments, without a class. Returns the id of the copy. */
async function insertAssignmentCopy(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  original: AssignmentsTable,
  attachments: readonly Attachment[],
): Promise<string> {
  const properties = { title: original.title, creator: actor.id, class: null }
  const copy = await insertNewAssignment(ctx, tx, properties)
  await updateAssignmentRow(tx, { ...copy, ...contentColumns(original) })
  await replaceAttachments(tx, copy.id, attachments)
  return copy.id
}

/** Copies an assignment of a class into a library. Returns the id of the resource. */
export async function copyAssignmentFromClass(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  source: AssignmentsTable,
  destination: ResourceLocation,
): Promise<string> {
  const { id: copied_from, title, type: assignment_type } = source
  const attachments = await copyAttachments(ctx, tx, actor, source.id)
  const assignment_id = await insertAssignmentCopy(ctx, tx, actor, source, attachments)
  const content = { type: 'assignment', title, assignment_id, assignment_type, copied_from } as const
  const resource = newResource(ctx, actor.id, destination, content)
  await insertResource(tx, resource)
  return resource.id
}

/**
 * Replaces the scores of other users in these resources by copies when the actor moves the resources to the
 * actor's own library, because the access through the organization's library ends with the move.
 * @throws TOO_MANY_RESOURCES
 */
export async function copyForeignScores(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  rows: readonly Pick<SubtreeRow, 'assignment_id'>[],
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
