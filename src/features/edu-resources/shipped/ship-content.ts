import { createHash } from 'node:crypto'
import type { Queries, Transaction } from '../../../db/database.ts'
import type { AssignmentsTable } from '../../../db/school-tables.ts'
import type { UsersTable } from '../../../db/tables.ts'
import { shorthandToMusicXml } from '../../../music/shorthand.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Context } from '../../../operation.ts'
import { emptyContent } from '../../assignments/content.ts'
import { type Attachment, insertAssignment, replaceAttachments, updateAssignmentRow } from '../../assignments/store.ts'
import { insertNewScore } from '../../collections/new-score.ts'
import { type Contents, contentsOfFile, insertContents } from '../../scores/contents.ts'
import { searchKeyOf } from '../../scores/search-key.ts'
import { updateScoreContents } from '../../scores/store.ts'
import { newAccount } from '../../users/accounts.ts'
import { findUser, findUserIdByName, insertUser, partitaAccount } from '../../users/store.ts'
import { shippedPlace } from '../policy.ts'
import { gradeBits, subjectBits } from '../sets.ts'
import { deleteResources, findContentVersion, listAssignmentsById, listOutdated, saveShipped } from '../store.ts'
import type { ShippedAssignment, ShippedScore } from './shipped-assignment.ts'

/** An edition of the shipped content. */
export interface Edition {
  version: number
  assignments: readonly ShippedAssignment[]
}

/**
 * Brings the library that comes with Partita up to this edition: what has changed is changed where it stands, what is not in
 * it any more goes. Does nothing where the library is of this edition or a later one. Copies are their owners’ and stay.
 */
export async function shipContent(ctx: Context, { version, assignments }: Edition): Promise<void> {
  if ((await findContentVersion(ctx.db.read)) >= version) return
  const prepared: { assignment: ShippedAssignment; contents: Contents[] }[] = []
  for (const assignment of assignments) {
    const contents: Contents[] = []
    for (const [index, { score }] of (assignment.scores ?? []).entries()) {
      contents.push(await readScore(ctx, assignment, index, shorthandToMusicXml(score)))
    }
    prepared.push({ assignment, contents })
  }
  const owner = await newOwner(ctx)
  await ctx.transaction(async (tx) => {
    // Another process may have been quicker.
    if ((await findContentVersion(tx)) >= version) return
    if (!(await findUser(tx, { id: owner.id }))) await insertUser(tx, owner)
    for (const [index, { assignment, contents }] of prepared.entries()) {
      const row = await saveAssignment(ctx, tx, assignment)
      await replaceAttachments(tx, row.id, await saveScores(ctx, tx, row.id, assignment.scores ?? [], contents))
      await saveResource(ctx, tx, assignment, row, { version, index })
    }
    await deleteResources(tx, await listOutdated(tx, version))
  })
}

/** When the first of it was written down. */
const firstWritten = Date.UTC(2026, 10, 21)

/** The same everywhere and always, so that what ships is known again. */
export const shippedId = (kind: 'resource' | 'assignment', key: string): string =>
  createHash('sha256').update(`${kind}:${key}`).digest('hex').slice(0, 24)

/** Nobody knows its password. */
async function newOwner({ clock, db }: Context): Promise<UsersTable> {
  let username = 'partita'
  while (await isTaken(db.read, username)) username += '-'
  const account = { username, password: crypto.randomUUID(), firstname: 'Partita' }
  return newAccount(account, partitaAccount, clock.now())
}

async function isTaken(queries: Queries, username: string): Promise<boolean> {
  const id = await findUserIdByName(queries, username)
  return id !== undefined && id !== partitaAccount
}

/** Parts and measures keep their identities where the score is there already. */
async function readScore(ctx: Context, { key }: ShippedAssignment, index: number, xml: string): Promise<Contents> {
  const known = await scoresOf(ctx.db.read, shippedId('assignment', key))
  const document = known[index]?.document_blob
  const previous = document && Buffer.from(await ctx.blobs.read(ctx.db.read, document)).toString()
  return contentsOfFile(ctx, Buffer.from(xml), previous)
}

/** The scores of an assignment that was shipped before, in order, with their newest documents. */
async function scoresOf(queries: Queries, assignment: string) {
  return queries
    .selectFrom('assignment_attachments')
    .innerJoin('scores', 'scores.id', 'assignment_attachments.score_id')
    .innerJoin('score_revisions', 'score_revisions.id', 'scores.last_revision_id')
    .where('assignment_attachments.assignment_id', '=', assignment)
    .orderBy('assignment_attachments.position')
    .select(['scores.id', 'scores.lyricist', 'score_revisions.document_blob'])
    .execute()
}

async function saveAssignment(ctx: Context, tx: Transaction, shipped: ShippedAssignment): Promise<AssignmentsTable> {
  const id = shippedId('assignment', shipped.key)
  const now = ctx.clock.now()
  const [known] = await listAssignmentsById(tx, [id])
  const row: AssignmentsTable = {
    id,
    class_id: null,
    creator_id: partitaAccount,
    state: 'draft',
    ...emptyContent(shipped.title),
    type: shipped.type,
    ...textOf('description', shipped.task),
    ...textOf('teacher_instructions', shipped.teaching),
    max_points: shipped.maxPoints ?? null,
    options: JSON.stringify({ recordingType: shipped.recording }),
    assignee_mode: 'everyone',
    scheduled_at: null,
    due_at: null,
    created_at: known?.created_at ?? now,
    modified_at: now,
  }
  await (known ? updateAssignmentRow(tx, row) : insertAssignment(tx, row))
  return row
}

/** Paragraphs are separated by empty lines; other line breaks are only those of the source. */
function textOf<Column extends string>(column: Column, text: string) {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
  const html = paragraphs.map((paragraph) => `<p>${paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
  return { [column]: paragraphs.join('\n'), [`${column}_html`]: html.join('') } as {
    [Name in Column | `${Column}_html`]: string
  }
}

/** Saves what has changed of the scores as new revisions. What to attach. */
async function saveScores(
  ctx: Context,
  tx: Transaction,
  assignment: string,
  scores: readonly ShippedScore[],
  contents: readonly Contents[],
): Promise<Attachment[]> {
  const known = await scoresOf(tx, assignment)
  const attachments: Attachment[] = []
  for (const [index, { use, score }] of scores.entries()) {
    const content = contents[index] as Contents
    const before = known[index]
    const id = before?.id ?? (await insertScore(ctx, tx, score.title, content))
    if (before && before.document_blob !== content.document.hash) {
      await updateScore(ctx, tx, before, score.title, content)
    }
    attachments.push({
      type: 'flat',
      score_id: id,
      revision_id: null,
      part_uuid: null,
      sharing_mode: use === 'teacherOnly' ? 'read' : use,
      lock_score_template: 0,
      worksheet: null,
      url: null,
      google_drive_file_id: null,
      teacher_only: use === 'teacherOnly' ? 1 : 0,
    })
  }
  return attachments
}

async function insertScore(ctx: Context, tx: Transaction, title: string, contents: Contents): Promise<string> {
  const owner = { id: partitaAccount, app: undefined }
  // Private: students are not to find the solutions. Who teaches reads it by its assignment.
  const asked = { title, privacy: 'private', collection: 'root' } as const
  return (await insertNewScore(ctx, tx, owner, contents, asked)).score
}

async function updateScore(
  ctx: Context,
  tx: Transaction,
  { id, lyricist }: { id: string; lyricist: string | null },
  title: string,
  contents: Contents,
): Promise<void> {
  const now = ctx.clock.now()
  const { subtitle = null, composer = null, arranger = null } = contents.facts
  const about = { title, title_key: sortKey(title), subtitle, composer, arranger }
  const revision = { id: ctx.newId(), score: id, user: partitaAccount, now }
  const { id: last_revision_id } = await insertContents(ctx, tx, contents, revision)
  const search_key = searchKeyOf({ ...about, lyricist, ...contents.columns })
  await tx.updateTable('scores').set(about).where('id', '=', id).execute()
  const change = { ...contents.columns, search_key, last_revision_id, modified_at: now }
  await updateScoreContents(tx, { id, title_key: about.title_key }, change)
}

async function saveResource(
  ctx: Context,
  tx: Transaction,
  { key, title, about, subjects, grades }: ShippedAssignment,
  assignment: AssignmentsTable,
  { version, index }: { version: number; index: number },
): Promise<void> {
  const now = ctx.clock.now()
  await saveShipped(tx, {
    id: shippedId('resource', key),
    type: 'assignment',
    user_id: null,
    organization_id: null,
    parent_id: null,
    place: shippedPlace,
    creator_id: null,
    privacy: 'public',
    title,
    title_key: sortKey(title),
    description: about,
    description_html: null,
    subjects: subjectBits(subjects),
    grades: gradeBits(grades),
    assignment_id: assignment.id,
    assignment_type: assignment.type,
    copied_from: null,
    content_version: version,
    // The newest first is the order in which they are written down.
    created_at: firstWritten - index * 1000,
    updated_at: now,
  })
}
