import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { columnsIn, insertion } from '../../db/insertion.ts'
import type { SubmissionAttachmentsTable } from '../../db/school-tables.ts'
import { emptyMedia } from '../assignments/attached.ts'

/** An attachment, and whose its score is. */
export type SubmissionAttachmentRow = SubmissionAttachmentsTable & { score_owner: string | null }

const attachmentsOf = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .leftJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .where('submission_attachments.submission_id', 'in', p.list('submissions'))
    .selectAll('submission_attachments')
    .select('scores.owner_id as score_owner')
    .orderBy('submission_attachments.submission_id')
    .orderBy('submission_attachments.position'),
)

/** The attachments of each of these submissions, in their order. */
export async function listSubmissionAttachments(
  queries: Queries,
  submissions: readonly string[],
): Promise<Map<string, SubmissionAttachmentRow[]>> {
  const rows = submissions.length > 0 ? await attachmentsOf(queries, { submissions }) : []
  return Map.groupBy(rows, ({ submission_id }) => submission_id)
}

/** What is shown of an attachment: these columns, */
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

/** and what its score is called, and what the service of its address says of it. */
const shownOfOthers = { score_title: 'scores.title', web_facts: 'web_links.facts' } as const

const shownNames = [...shownColumns, ...Object.keys(shownOfOthers)]

export type ShownAttachment = Pick<SubmissionAttachmentsTable, (typeof shownColumns)[number]> &
  Record<keyof typeof shownOfOthers, string | null>

const packedAttachmentsOf = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .leftJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .leftJoin('web_links', 'web_links.url', 'submission_attachments.url')
    .where('submission_attachments.submission_id', 'in', p.list('submissions'))
    .select('submission_attachments.submission_id')
    .select(
      p
        .packed([...shownColumns.map((column) => `submission_attachments.${column}`), ...Object.values(shownOfOthers)])
        .as('packed'),
    )
    .orderBy('submission_attachments.submission_id')
    .orderBy('submission_attachments.position'),
)

/** What is shown of the attachments of each of these submissions, in their order, packed. */
export async function listPackedAttachments(
  queries: Queries,
  submissions: readonly string[],
): Promise<Map<string, { packed: string }[]>> {
  const rows = submissions.length > 0 ? await packedAttachmentsOf(queries, { submissions }) : []
  return Map.groupBy(rows, ({ submission_id }) => submission_id)
}

export function unpackAttachment({ packed }: { packed: string }): ShownAttachment {
  const values: unknown[] = JSON.parse(packed)
  return Object.fromEntries(shownNames.map((name, index) => [name, values[index]])) as ShownAttachment
}

const insertAttachment = insertion('submission_attachments')

const deleteAttachments = compiled((db, p: Params<{ submission: string }>) =>
  db.deleteFrom('submission_attachments').where('submission_id', '=', p('submission')),
)

export type NewAttachment = Omit<SubmissionAttachmentsTable, 'submission_id' | 'position'>

/** An attachment of a submission of which nothing is said: all of its columns. */
export const emptyAttachment: NewAttachment = {
  ...emptyMedia,
  dedicated: 0,
  by_owner: 0,
  handed_in_revision_id: null,
  track_id: null,
}

/** Gives a submission these attachments in the place of those that it has. */
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

const ownAmong = compiled((db, p: Params<{ scores: readonly string[]; owner: string }>) =>
  db.selectFrom('scores').where('id', 'in', p.list('scores')).where('owner_id', '=', p('owner')).select('id'),
)

/** Which of the scores that these attachments name belong to somebody. */
export async function listOwnAmong(
  queries: Queries,
  attachments: readonly { score_id: string | null }[],
  owner: string,
): Promise<ReadonlySet<string | null>> {
  const scores = attachments.flatMap(({ score_id }) => score_id ?? [])
  const rows = scores.length > 0 ? await ownAmong(queries, { scores, owner }) : []
  return new Set(rows.map(({ id }) => id))
}

const handIn = compiled((db, p: Params<{ submission: string }>) =>
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

/** Keeps which revision of each score of a submission is handed in: the one that is named, else the newest. */
export async function updateHandedIn(tx: Transaction, submission: string): Promise<void> {
  await handIn(tx, { submission })
}

const takeBack = compiled((db, p: Params<{ submission: string }>) =>
  db
    .updateTable('submission_attachments')
    .set({ handed_in_revision_id: null })
    .where('submission_id', '=', p('submission')),
)

export async function clearHandedIn(tx: Transaction, submission: string): Promise<void> {
  await takeBack(tx, { submission })
}

/** Takes the scores of somebody's own out of a submission; what was made for it stays. */
export async function deleteAttachmentsOf(tx: Transaction, submission: string, owner: string): Promise<void> {
  await tx
    .deleteFrom('submission_attachments')
    .where('submission_id', '=', submission)
    .where('dedicated', '=', 0)
    .where('score_id', 'in', (eb) => eb.selectFrom('scores').where('owner_id', '=', owner).select('id'))
    .execute()
}

/** The scores that were made for these submissions. */
export async function listCopies(queries: Queries, submissions: readonly string[]): Promise<string[]> {
  const attachments = await listSubmissionAttachments(queries, submissions)
  return [...attachments.values()].flat().flatMap(({ score_id, dedicated }) => (dedicated && score_id ? score_id : []))
}
