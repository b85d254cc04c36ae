import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { columnsIn, insertion } from '../../../platform/db/insertion.ts'
import type { AssignmentAttachmentsTable } from '../../../platform/db/school-tables.ts'
import { partitaAccount } from '../../people/users/store.ts'

/** The columns of an attachment that requests decide. */
export type Attachment = Omit<AssignmentAttachmentsTable, 'assignment_id' | 'position'>

const insertAttachment = insertion('assignment_attachments')

/** The default values of the columns that attachments of assignments and submissions have in common. */
export const emptyMedia = {
  type: 'flat',
  score_id: null,
  revision_id: null,
  part_uuid: null,
  sharing_mode: null,
  lock_score_template: 0,
  worksheet: null,
  url: null,
  google_drive_file_id: null,
} satisfies Partial<Attachment>

/** An attachment of an assignment with the default value of every column. */
export const emptyAttachment: Attachment = { ...emptyMedia, teacher_only: 0, attached_by: null, is_copy: 0 }

/** Replaces all attachments of an assignment. */
export async function replaceAttachments(
  tx: Transaction,
  assignment: string,
  attachments: readonly Attachment[],
): Promise<void> {
  await tx.deleteFrom('assignment_attachments').where('assignment_id', '=', assignment).execute()
  await Promise.all(
    attachments.map((attachment, position) =>
      insertAttachment(tx, {
        ...columnsIn(emptyAttachment, attachment),
        assignment_id: assignment,
        position,
      }),
    ),
  )
}

const attachmentsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_attachments')
    .leftJoin('scores', 'scores.id', 'assignment_attachments.score_id')
    .leftJoin('web_links', 'web_links.url', 'assignment_attachments.url')
    .where(p.isIn('assignment_attachments.assignment_id', 'assignments'))
    .selectAll('assignment_attachments')
    .select(['scores.title as score_title', 'web_links.facts as web_facts'])
    .orderBy('assignment_attachments.assignment_id')
    .orderBy('assignment_attachments.position'),
)

/** An attachment with the title of its score and the facts about its URL. */
export type AttachmentRow = Awaited<ReturnType<typeof attachmentsOf>>[number]

/** Returns the attachments of these assignments by assignment id, in the order of their position. */
export async function listAttachments(
  queries: Queries,
  assignments: readonly string[],
): Promise<Map<string, AttachmentRow[]>> {
  const rows = assignments.length > 0 ? await attachmentsOf(queries, { assignments }) : []
  return Map.groupBy(rows, ({ assignment_id }) => assignment_id)
}

/**
 * Returns the scores of `owner` that were created as copies for an assignment and are not used otherwise:
 * they have one revision, are in no collection, are not attached to another assignment or submission, and are
 * not shared.
 */
export async function listUntouchedCopies(
  queries: Queries,
  assignment: string,
  owner: string,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('assignment_attachments as attached')
    .innerJoin('scores', 'scores.id', 'attached.score_id')
    .where('attached.assignment_id', '=', assignment)
    .where('attached.is_copy', '=', 1)
    .where('scores.owner_id', '=', owner)
    .where('scores.trashed', '=', 0)
    .where('scores.pending_credits', 'is', null)
    .where(({ not, exists, selectFrom, lit }) =>
      not(
        exists(
          selectFrom('score_revisions')
            .whereRef('score_id', '=', 'scores.id')
            .whereRef('id', '<>', 'scores.last_revision_id')
            .select(lit(1).as('one'))
            .unionAll(
              selectFrom('collection_scores').whereRef('score_id', '=', 'scores.id').select(lit(1).as('one')),
            )
            .unionAll(
              selectFrom('assignment_attachments as others')
                .whereRef('others.score_id', '=', 'scores.id')
                .where('others.assignment_id', '<>', assignment)
                .select(lit(1).as('one')),
            )
            .unionAll(
              selectFrom('submission_attachments')
                .whereRef('score_id', '=', 'scores.id')
                .select(lit(1).as('one')),
            )
            .unionAll(
              selectFrom('grants')
                .whereRef('score_id', '=', 'scores.id')
                .where('assignment_id', 'is', null)
                .select(lit(1).as('one')),
            ),
        ),
      ),
    )
    .select('scores.id')
    .distinct()
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the attachments of a user's scores in classes, with the owners of the classes. */
export async function listScoresAttachedOf(queries: Queries, user: string) {
  return queries
    .selectFrom('scores')
    .innerJoin('assignment_attachments as attached', 'attached.score_id', 'scores.id')
    .innerJoin('assignments', 'assignments.id', 'attached.assignment_id')
    .innerJoin('classes', 'classes.id', 'assignments.class_id')
    .where('scores.owner_id', '=', user)
    .select(['attached.assignment_id', 'attached.position', 'attached.revision_id', 'attached.attached_by'])
    .select(['scores.id as score_id', 'classes.owner_id as successor', 'classes.organization_id'])
    .orderBy('attached.assignment_id')
    .orderBy('attached.position')
    .execute()
}

type Place = Pick<AssignmentAttachmentsTable, 'assignment_id' | 'position'>

/** Replaces the score of an attachment by a copy. */
export async function updateAttachedScore(
  tx: Transaction,
  { assignment_id, position }: Place,
  copy: { score: string; by: string },
): Promise<void> {
  await tx
    .updateTable('assignment_attachments')
    .set({ score_id: copy.score, revision_id: null, attached_by: copy.by, is_copy: 1 })
    .where('assignment_id', '=', assignment_id)
    .where('position', '=', position)
    .execute()
}

export async function deleteAttachment(tx: Transaction, { assignment_id, position }: Place): Promise<void> {
  await tx
    .deleteFrom('assignment_attachments')
    .where('assignment_id', '=', assignment_id)
    .where('position', '=', position)
    .execute()
}

const ownedWithin = compiled((db, p: Params<{ scores: readonly string[]; organization: string }>) =>
  db
    .selectFrom('scores')
    .innerJoin('users', 'users.id', 'scores.owner_id')
    .where(p.isIn('scores.id', 'scores'))
    .where((eb) =>
      eb.or([
        eb('users.organization_id', '=', p('organization')),
        eb('users.id', '=', eb.val(partitaAccount)),
      ]),
    )
    .select('scores.id'),
)

/** Returns those scores that belong to a member of the organization, or that ship with Partita. */
export async function listOwnedWithin(
  queries: Queries,
  scores: readonly string[],
  organization: string,
): Promise<ReadonlySet<string | null>> {
  const rows = scores.length > 0 ? await ownedWithin(queries, { scores, organization }) : []
  return new Set(rows.map(({ id }) => id))
}

/** Returns the scores of `owner` that are attached to an assignment, except those in the trash. */
export async function listAttachedOf(queries: Queries, assignment: string, owner: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('assignment_attachments')
    .innerJoin('scores', 'scores.id', 'assignment_attachments.score_id')
    .where('assignment_attachments.assignment_id', '=', assignment)
    .where('scores.owner_id', '=', owner)
    .where('scores.trashed', '=', 0)
    .select('scores.id')
    .execute()
  return rows.map(({ id }) => id)
}
