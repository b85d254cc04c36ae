import type { Queries, Transaction } from '../../../db/database.ts'
import type { AssignmentsTable } from '../../../db/school-tables.ts'
import type { UsersTable } from '../../../db/tables.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Context } from '../../../operation.ts'
import { emptyContent, type Options } from '../../assignments/content.ts'
import { replaceAttachments } from '../../assignments/attached.ts'
import { insertAssignment, listAssignmentsById, updateAssignmentRow } from '../../assignments/store.ts'
import { newAccount } from '../../users/accounts.ts'
import { findUser, findUserIdByName, insertUser, partitaAccount } from '../../users/store.ts'
import { shippedPlace } from '../policy.ts'
import { gradeBits, subjectBits } from '../sets.ts'
import { deleteResources, findContentVersion, listOutdated, saveShipped } from '../store.ts'
import { type ShippedAssignment, shippedId } from './shipped-assignment.ts'
import { deleteUnusedScores, type PreparedScore, prepareScores, saveScores } from './shipped-scores.ts'

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
  const prepared: { assignment: ShippedAssignment; scores: PreparedScore[] }[] = []
  for (const assignment of assignments) prepared.push({ assignment, scores: await prepareScores(ctx, assignment) })
  const owner = await newOwner(ctx)
  await ctx.transaction(async (tx) => {
    // Another process may have been quicker.
    if ((await findContentVersion(tx)) >= version) return
    if (!(await findUser(tx, { id: owner.id }))) await insertUser(tx, owner)
    for (const [index, { assignment, scores }] of prepared.entries()) {
      const row = await saveAssignment(ctx, tx, assignment)
      await replaceAttachments(tx, row.id, await saveScores(ctx, tx, scores))
      await saveResource(ctx, tx, assignment, row, { version, index })
    }
    await deleteResources(tx, await listOutdated(tx, version))
    await deleteUnusedScores(ctx, tx)
  })
}

/** When the first of it was written down. */
const firstWritten = Date.UTC(2026, 10, 21)

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
    options: JSON.stringify(optionsOf(shipped)),
    assignee_mode: 'everyone',
    published_at: null,
    scheduled_at: null,
    due_at: null,
    created_at: known?.created_at ?? now,
    modified_at: now,
  }
  await (known ? updateAssignmentRow(tx, row) : insertAssignment(tx, row))
  return row
}

function optionsOf({ recording, allows = [] }: ShippedAssignment): Options {
  const allowed = (what: (typeof allows)[number]) => allows.includes(what) || undefined
  return {
    recordingType: recording,
    allowMetronome: allowed('metronome'),
    allowSpeedChange: allowed('speedChange'),
    allowBackingTrack: allowed('backingTrack'),
  }
}

/** Paragraphs are separated by empty lines; other line breaks are only those of the source. */
function textOf<Column extends string>(column: Column, text: string) {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
  const html = paragraphs.map((paragraph) => `<p>${paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
  return { [column]: paragraphs.join('\n'), [`${column}_html`]: html.join('') } as {
    [Name in Column | `${Column}_html`]: string
  }
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
