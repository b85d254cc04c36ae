import type { AttachmentType, ClassAttachmentCreation, MediaScoreSharingMode } from '../../contract/attachments.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { AccessLevel } from '../../db/tables.ts'
import { Failure, fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { canRead, canWrite, loadRevision, loadScore } from '../scores/policy.ts'
import { type Attachment, emptyAttachment, replaceAttachments } from './attached.ts'
import { askForFacts } from './web-links.ts'

const mostAttachments = 50
/** What browsers take. */
const longestUrl = 2000

/** What students may do with a score that is attached so; a copy of their own they make by reading it. */
export const levelOf = (mode: MediaScoreSharingMode | null): AccessLevel => (mode === 'write' ? 2 : 1)

/**
 * What a body attaches, in its order, each thing once.
 * @param known what is attached already: it stays, whoever may read it now
 * @throws INVALID_PARAMETER, ASSIGNMENT_ATTACHMENTS_LIMIT, and as `loadScore` does, naming the field
 */
export async function attachmentsOf(
  queries: Queries,
  actor: Actor,
  creations: readonly ClassAttachmentCreation[],
  known: readonly Attachment[] = [],
): Promise<Attachment[]> {
  const named = creations.map((creation, index) => ({ index, attachment: asNamed(actor, creation, index) }))
  const once = eachOnce(named)
  if (once.length > mostAttachments) fail('ASSIGNMENT_ATTACHMENTS_LIMIT', { param: 'attachments' })
  for (const { attachment, index } of once) {
    if (attachment.score_id !== null) await checkScore(queries, actor, attachment, index, known)
  }
  // What was called the last revision has its own name by now.
  return eachOnce(once).map(({ attachment }) => attachment)
}

function eachOnce<T extends { attachment: Attachment }>(named: readonly T[]): T[] {
  const keys = named.map(({ attachment }) => keyOf(attachment))
  return named.filter((_, place) => keys.indexOf(keys[place] as string) === place)
}

/** Puts these in the place of what was attached, and has it found out what the links among them show. */
export async function saveAttachments(
  ctx: Pick<Context, 'jobs' | 'config'>,
  tx: Transaction,
  assignment: string,
  attachments: readonly Attachment[],
): Promise<void> {
  await replaceAttachments(tx, assignment, attachments)
  await askForFacts(
    ctx,
    tx,
    attachments.flatMap(({ url }) => url ?? []),
  )
}

type Named = Pick<Attachment, 'score_id' | 'revision_id' | 'part_uuid' | 'worksheet' | 'google_drive_file_id' | 'url'>

/** What makes two attachments one. */
const keyOf = ({ score_id, revision_id, part_uuid, worksheet, google_drive_file_id, url }: Named): string =>
  JSON.stringify([score_id, revision_id, part_uuid, worksheet, google_drive_file_id, url])

export const isSame = (one: Named, other: Named): boolean => keyOf(one) === keyOf(other)

function asNamed(actor: Actor, creation: ClassAttachmentCreation, index: number): Attachment {
  const type = creation.type ?? typeOf(creation) ?? refuse(index, 'type', 'is missing')
  const isScore = type === 'flat'
  const sharingMode = isScore ? (creation.sharingMode ?? 'read') : null
  return {
    ...emptyAttachment,
    type,
    score_id: isScore ? needed(creation, 'score', index) : null,
    revision_id: (isScore && creation.revision) || null,
    part_uuid: (isScore && creation.partUuid) || null,
    sharing_mode: sharingMode,
    lock_score_template: sharingMode === 'copy' && creation.lockScoreTemplate ? 1 : 0,
    worksheet: type === 'worksheet' ? needed(creation, 'worksheet', index) : null,
    url: onTheWeb.includes(type) ? addressOf(needed(creation, 'url', index), index) : null,
    google_drive_file_id: type === 'googleDrive' ? needed(creation, 'googleDriveFileId', index) : null,
    teacher_only: creation.teacherOnly ? 1 : 0,
    attached_by: isScore ? actor.id : null,
  }
}

const onTheWeb: readonly AttachmentType[] = ['rich', 'photo', 'video', 'link']

/** What an attachment is that does not say so. */
function typeOf({ score, worksheet, googleDriveFileId, url }: ClassAttachmentCreation): AttachmentType | undefined {
  if (score !== undefined) return 'flat'
  if (worksheet !== undefined) return 'worksheet'
  if (googleDriveFileId !== undefined) return 'googleDrive'
  return url === undefined ? undefined : 'link'
}

function needed(
  creation: ClassAttachmentCreation,
  field: 'score' | 'worksheet' | 'googleDriveFileId' | 'url',
  index: number,
): string {
  return creation[field] || refuse(index, field, `is needed for an attachment of the type ${creation.type ?? field}`)
}

function addressOf(text: string, index: number): string {
  const url = URL.parse(text)
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    refuse(index, 'url', 'must be an address that begins with https:// or http://')
  }
  if (url.href.length > longestUrl) refuse(index, 'url', `is longer than ${longestUrl} characters`)
  return url.href
}

/** Nobody hands on more than they have: whoever attaches a score may read it, and write it where others are to. */
async function checkScore(
  queries: Queries,
  actor: Actor,
  attachment: Attachment,
  index: number,
  known: readonly Attachment[],
): Promise<void> {
  const ofScore = known.filter(({ score_id }) => score_id === attachment.score_id)
  const kept = ofScore.filter(({ sharing_mode }) => levelOf(sharing_mode) >= levelOf(attachment.sharing_mode))
  const same = kept.find((one) => isSame(one, attachment))
  attachment.is_copy = ofScore[0]?.is_copy ?? 0
  if (same) {
    attachment.attached_by = same.attached_by
    return
  }
  const isKept = kept.length > 0
  const { score_id, revision_id, part_uuid, sharing_mode } = attachment
  const can = isKept || levelOf(sharing_mode) === 1 ? canRead : canWrite
  const { score } = await naming(index, 'score', () => loadScore(queries, actor, score_id ?? '', can))
  if (score.trashed) fail('SCORE_TRASHED', { param: `attachments.${index}.score` })
  if (revision_id === null && part_uuid === null) return
  const revision = await naming(index, 'revision', () => loadRevision(queries, score, revision_id ?? 'last'))
  const parts: string[] = JSON.parse(revision.part_uuids)
  if (part_uuid !== null && !parts.includes(part_uuid)) refuse(index, 'partUuid', 'is no part of the score')
  if (revision_id !== null) attachment.revision_id = revision.id
}

async function naming<T>(index: number, field: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Failure) fail(error.code, { param: `attachments.${index}.${field}` })
    throw error
  }
}

function refuse(index: number, field: string, what: string): never {
  const param = `attachments.${index}.${field}`
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${what}.` })
}
