import type { Queries, Transaction } from '../../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../../platform/db/school-tables.ts'
import type { UsersTable } from '../../../../platform/db/people-tables.ts'
import { sortKey } from '../../../../lib/sort-key.ts'
import type { Context } from '../../../../context.ts'
import { emptyContent, type Options } from '../../assignments/content.ts'
import { replaceAttachments } from '../../assignments/attachments.store.ts'
import { insertAssignment, listAssignmentsById, updateAssignmentRow } from '../../assignments/store.ts'
import { newAccount } from '../../../people/users/accounts.ts'
import { findUser, findUserIdByName, insertUser, partitaAccount } from '../../../people/users/store.ts'
import { shippedLibrary } from '../policy.ts'
import { gradeBits, subjectBits } from '../sets.ts'
import { deleteResources, findContentVersion, listOutdated, saveShippedResource } from '../store.ts'
import { type ShippedAssignment, shippedId } from './shipped-assignment.ts'
import { deleteUnusedScores, type PreparedScore, prepareScores, saveScores } from './shipped-scores.ts'

/** An edition of the shipped content. */
export interface Edition {
  version: number
  assignments: readonly ShippedAssignment[]
}

/**
 * Updates the library that comes with Partita to this edition. Changed resources are updated in place, and
 * resources that the edition no longer contains are deleted. Copies belong to their owners and stay
 * unchanged. Does nothing if the stored edition is the same or later.
 */
export async function shipContent(ctx: Context, edition: Edition): Promise<void> {
  const { version } = edition
  if ((await findContentVersion(ctx.db.read)) >= version) return
  const prepared: { assignment: ShippedAssignment; scores: PreparedScore[] }[] = []
  for (const assignment of edition.assignments)
    prepared.push({ assignment, scores: await prepareScores(ctx, assignment) })
  const owner = await newOwner(ctx)
  await ctx.transaction(async (tx) => {
    // Another process may have installed the edition in the meantime.
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

/** The creation date of the first edition. */
const firstWritten = Date.UTC(2026, 10, 21)

/** Creates the account that owns the library, with a random password that nothing records. */
async function newOwner(ctx: Context): Promise<UsersTable> {
  let username = 'partita'
  while (await isTaken(ctx.db.read, username)) username += '-'
  const account = { username, password: crypto.randomUUID(), firstname: 'Partita' }
  return { ...(await newAccount(ctx, account, partitaAccount)), max_storage: 0 }
}

async function isTaken(queries: Queries, username: string): Promise<boolean> {
  const id = await findUserIdByName(queries, username)
  return id !== undefined && id !== partitaAccount
}

async function saveAssignment(
  ctx: Context,
  tx: Transaction,
  shipped: ShippedAssignment,
): Promise<AssignmentsTable> {
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
  const isAllowed = (feature: (typeof allows)[number]) => allows.includes(feature) || undefined
  return {
    recordingType: recording,
    allowMetronome: isAllowed('metronome'),
    allowSpeedChange: isAllowed('speedChange'),
    allowBackingTrack: isAllowed('backingTrack'),
  }
}

function textOf<Column extends string>(column: Column, paragraphs: readonly string[]) {
  const html = paragraphs.map(
    (paragraph) => `<p>${paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
  )
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
  await saveShippedResource(tx, {
    id: shippedId('resource', key),
    type: 'assignment',
    user_id: null,
    organization_id: null,
    parent_id: null,
    place: shippedLibrary,
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
    // Lists show the newest resource first, so these dates keep the order of the edition.
    created_at: firstWritten - index * 1000,
    updated_at: now,
  })
}
