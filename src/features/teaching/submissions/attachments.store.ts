import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { columnsIn, insertion } from '../../../platform/db/insertion.ts'
import type { SubmissionAttachmentsTable } from '../../../platform/db/school-tables.ts'
import { CreditsArePending } from '../../library/scores/pending-credits.ts'
import { emptyMedia } from '../assignments/attachments.store.ts'

/** A row of an attachment with the owner of its score. */
export type SubmissionAttachmentRow = SubmissionAttachmentsTable & { score_owner: string | null }

const attachmentsOf = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .leftJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .where(p.isIn('submission_attachments.submission_id', 'submissions'))
    .selectAll('submission_attachments')
    .select('scores.owner_id as score_owner')
    .orderBy('submission_attachments.submission_id')
    .orderBy('submission_attachments.position'),
)

/** Returns the attachments of each of these submissions by submission id, in the order of their position. */
export async function listSubmissionAttachments(
  queries: Queries,
  submissions: readonly string[],
): Promise<Map<string, SubmissionAttachmentRow[]>> {
  const rows = submissions.length > 0 ? await attachmentsOf(queries, { submissions }) : []
  return Map.groupBy(rows, ({ submission_id }) => submission_id)
}

/** The columns of an attachment that its presentation shows. */
const shownColumns = [
  'type',
  'score_id',
  'revision_id',
  'handed_in_revision_id',
  'part_uuid',
  'sharing_mode',
  'lock_score_template',
  'worksheet',
  'url',
  'google_drive_file_id',
  'dedicated',
  'track_id',
] as const satisfies (keyof SubmissionAttachmentsTable)[]

/**
 * The columns of other tables that the presentation shows: the title of the score, and the facts that the web
 * service of the URL returned.
 */
const joinedColumns = { score_title: 'scores.title', web_facts: 'web_links.facts' } as const

const packedNames = [...shownColumns, ...Object.keys(joinedColumns)]

export type ShownAttachment = Pick<SubmissionAttachmentsTable, (typeof shownColumns)[number]> &
  Record<keyof typeof joinedColumns, string | null>

const packedAttachmentsOf = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .leftJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .leftJoin('web_links', 'web_links.url', 'submission_attachments.url')
    .where(p.isIn('submission_attachments.submission_id', 'submissions'))
    .select('submission_attachments.submission_id')
    .select(
      p
        .packed([
          ...shownColumns.map((column) => `submission_attachments.${column}`),
          ...Object.values(joinedColumns),
        ])
        .as('packed'),
    )
    .orderBy('submission_attachments.submission_id')
    .orderBy('submission_attachments.position'),
)

/**
 * Returns the shown columns of the attachments of these submissions by submission id, in the order of their
 * position. Each row is packed in one JSON array, which is cheap to compare with the cached one; see
 * `unpackAttachment`.
 */
export async function listPackedAttachments(
  queries: Queries,
  submissions: readonly string[],
): Promise<Map<string, { packed: string }[]>> {
  const rows = submissions.length > 0 ? await packedAttachmentsOf(queries, { submissions }) : []
  return Map.groupBy(rows, ({ submission_id }) => submission_id)
}

export function unpackAttachment({ packed }: { packed: string }): ShownAttachment {
  const values: unknown[] = JSON.parse(packed)
  return Object.fromEntries(packedNames.map((name, index) => [name, values[index]])) as ShownAttachment
}

const insertAttachment = insertion('submission_attachments')

const deleteAttachments = compiled((db, p: Params<{ submission: string }>) =>
  db.deleteFrom('submission_attachments').where('submission_id', '=', p('submission')),
)

export type NewAttachment = Omit<SubmissionAttachmentsTable, 'submission_id' | 'position'>

/** An attachment with the default value of every column. */
export const emptyAttachment: NewAttachment = {
  ...emptyMedia,
  dedicated: 0,
  by_owner: 0,
  handed_in_revision_id: null,
  track_id: null,
}

/** Replaces all attachments of a submission. */
export async function replaceSubmissionAttachments(
  tx: Transaction,
  submission_id: string,
  attachments: readonly NewAttachment[],
): Promise<void> {
  await Promise.all([
    deleteAttachments(tx, { submission: submission_id }),
    ...attachments.map((attachment, position) =>
      insertAttachment(tx, { ...columnsIn(emptyAttachment, attachment), submission_id, position }),
    ),
  ])
}

const ownedScores = compiled((db, p: Params<{ scores: readonly string[]; owner: string }>) =>
  db.selectFrom('scores').where(p.isIn('id', 'scores')).where('owner_id', '=', p('owner')).select('id'),
)

/** Returns the ids of the attached scores that `owner` owns. */
export async function listOwnedScores(
  queries: Queries,
  attachments: readonly { score_id: string | null }[],
  owner: string,
): Promise<ReadonlySet<string | null>> {
  const scores = attachments.flatMap(({ score_id }) => score_id ?? [])
  const rows = scores.length > 0 ? await ownedScores(queries, { scores, owner }) : []
  return new Set(rows.map(({ id }) => id))
}

const setHandedIn = compiled((db, p: Params<{ submission: string }>) =>
  db
    .updateTable('submission_attachments')
    .set((eb) => ({
      handed_in_revision_id: eb.fn.coalesce(
        'revision_id',
        eb.selectFrom('scores').whereRef('scores.id', '=', 'score_id').select('last_revision_id'),
      ),
    }))
    .where('submission_id', '=', p('submission'))
    .where('score_id', 'is not', null),
)

/**
 * Stores for each score of a submission the revision that is handed in: the attached revision if there is
 * one, otherwise the latest revision of the score.
 * @throws CreditsArePending
 */
export async function setHandedInRevisions(tx: Transaction, submission: string): Promise<void> {
  const [[pending]] = await Promise.all([pendingIn(tx, { submission }), setHandedIn(tx, { submission })])
  if (pending) throw new CreditsArePending(pending)
}

const pendingIn = compiled((db, p: Params<{ submission: string }>) =>
  db
    .selectFrom('submission_attachments')
    .innerJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .where('submission_id', '=', p('submission'))
    .where('revision_id', 'is', null)
    .where('pending_credits', 'is not', null)
    .select(['scores.id', 'scores.owner_id'])
    .limit((eb) => eb.lit(1)),
)

const clearHandedIn = compiled((db, p: Params<{ submission: string }>) =>
  db
    .updateTable('submission_attachments')
    .set({ handed_in_revision_id: null })
    .where('submission_id', '=', p('submission')),
)

export async function clearHandedInRevisions(tx: Transaction, submission: string): Promise<void> {
  await clearHandedIn(tx, { submission })
}

/**
 * Removes the attachments of scores that `owner` owns from a submission. Copies made for the submission stay.
 */
export async function deleteAttachmentsOf(tx: Transaction, submission: string, owner: string): Promise<void> {
  await tx
    .deleteFrom('submission_attachments')
    .where('submission_id', '=', submission)
    .where('dedicated', '=', 0)
    .where('score_id', 'in', (eb) => eb.selectFrom('scores').where('owner_id', '=', owner).select('id'))
    .execute()
}

/** Returns the ids of the scores that were created for these submissions. */
export async function listCopies(queries: Queries, submissions: readonly string[]): Promise<string[]> {
  const attachments = await listSubmissionAttachments(queries, submissions)
  return [...attachments.values()]
    .flat()
    .flatMap(({ score_id, dedicated }) => (dedicated && score_id ? score_id : []))
}
