import type { Departure, MemberEvent } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { findClass } from '../classes/store.ts'
import { insertCopy } from '../../library/collections/new-score.ts'
import { findScore, updateScoreOwner } from '../../library/scores/store.ts'
import { deleteAssignmentGrantsOf } from '../../library/sharing/assignment-grants.store.ts'
import { recomputeGrants } from './access.ts'
import { accountExport } from './account-export.ts'
import {
  deleteAttachment,
  listAttachedOf,
  listScoresAttachedOf,
  updateAttachedScore,
} from './attachments.store.ts'
import { followClass } from './publication.ts'
import {
  findAnyAssignment,
  listCreatedBy,
  updateAssignmentCreator,
  replaceAssignmentCreator,
} from './store.ts'
import { deleteAssignee } from './assignees.store.ts'
import { deleteExcusesOf } from './excuses.store.ts'

export const assignmentsDeparture: Departure = {
  feature: 'teaching/assignments',
  exports: accountExport,
  onMemberLeft: {
    transfer: leaveCopies,
    finish: (_ctx, tx, { user }) => unassign(tx, user),
  },
  onRoleChanged: { withdraw: (_ctx, tx, { user }) => unassign(tx, user) },
  onClassLeft: { finish: (_ctx, tx, { user, schoolClass }) => unassign(tx, user, schoolClass.id) },
  onClassStateChanged: {
    finish: (ctx, tx, { schoolClass, before }) => followClass(ctx, tx, schoolClass, before),
  },
  erase: { transfer: (_ctx, tx, { user }) => transferAssignments(tx, user) },
}

/** Removes a user from the assignees and the excused students of one class, or of all classes, and revokes what these assignments gave. */
async function unassign(tx: Transaction, user: string, classId?: string): Promise<void> {
  await deleteAssignmentGrantsOf(tx, user, await deleteAssignee(tx, user, classId))
  await deleteExcusesOf(tx, user, classId)
}

/** Transfers assignments and the creator's scores attached to them to the owners of the classes. */
async function transferAssignments(tx: Transaction, teacher: string): Promise<void> {
  for (const { id, successor } of await listCreatedBy(tx, teacher)) {
    for (const score of await listAttachedOf(tx, id, teacher)) await updateScoreOwner(tx, score, successor)
    await updateAssignmentCreator(tx, id, successor)
  }
}

/**
 * Replaces the scores that a leaving user has attached in classes with copies, because the user keeps the scores. The copies
 * and the assignments belong to the owners of the classes. Scores of the user that another user has attached are detached:
 * that user could only see them.
 */
async function leaveCopies(ctx: Context, tx: Transaction, { user }: MemberEvent): Promise<void> {
  const copies = new Map<string, string>()
  const attached = await listScoresAttachedOf(tx, user)
  for (const {
    score_id,
    revision_id: revision,
    successor,
    organization_id: organization,
    ...attachment
  } of attached) {
    const key = JSON.stringify([successor, score_id, revision])
    const row =
      attachment.attached_by === user
        ? await findScore(tx, { id: score_id, viewer: successor, organization })
        : undefined
    if (!row || row.score.trashed) {
      await deleteAttachment(tx, attachment)
      continue
    }
    const options = { title: row.score.title, collection: 'root', revision, mayExceedQuota: true }
    const owner = { id: successor, organization, app: undefined }
    const copy = copies.get(key) ?? (await insertCopy(ctx, tx, owner, row.score, options)).score
    copies.set(key, copy)
    await updateAttachedScore(tx, attachment, { score: copy, by: successor })
  }
  for (const { id, successor } of await listCreatedBy(tx, user))
    await replaceAssignmentCreator(tx, [id], { from: user, to: successor })
  for (const id of new Set(attached.map(({ assignment_id }) => assignment_id))) {
    const assignment = await findAnyAssignment(tx, id)
    const schoolClass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
    if (schoolClass) await recomputeGrants(ctx, tx, schoolClass, assignment)
  }
}
