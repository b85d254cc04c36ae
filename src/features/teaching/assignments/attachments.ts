import type {
  AttachmentType,
  ClassAttachmentCreation,
  MediaScoreSharingMode,
} from '../../../contract/attachments.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { AccessLevel } from '../../../platform/db/tables.ts'
import { Failure, fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { canRead, canWrite, loadRevision, loadScore } from '../../library/scores/policy.ts'
import { type Attachment, emptyAttachment, replaceAttachments } from './attachments.store.ts'
import { requestWebFacts } from './web-links.ts'

const maxAttachments = 50
/** The maximum length that browsers support. */
const maxUrlLength = 2000

/** Returns the access level that a sharing mode gives to students. For a copy, reading is sufficient. */
export const accessLevelOf = (mode: MediaScoreSharingMode | null): AccessLevel => (mode === 'write' ? 2 : 1)

/**
 * Returns the attachments that a body describes, in its order and without duplicates.
 * @param known the existing attachments; they stay even if the actor has lost access to their scores
 * @throws INVALID_PARAMETER, ASSIGNMENT_ATTACHMENTS_LIMIT, and the errors of `loadScore`, with the field as
 *   `param`
 */
export async function attachmentsOf(
  queries: Queries,
  actor: Actor,
  creations: readonly ClassAttachmentCreation[],
  known: readonly Attachment[] = [],
): Promise<Attachment[]> {
  const named = creations.map((creation, index) => ({
    index,
    attachment: parseAttachment(actor, creation, index),
  }))
  const once = withoutDuplicates(named)
  if (once.length > maxAttachments) fail('ASSIGNMENT_ATTACHMENTS_LIMIT', { param: 'attachments' })
  for (const { attachment, index } of once) {
    if (attachment.score_id !== null) await checkScore(queries, actor, attachment, index, known)
  }
  // The revision `last` has been resolved to an id, which may have created new duplicates.
  return withoutDuplicates(once).map(({ attachment }) => attachment)
}

function withoutDuplicates<T extends { attachment: Attachment }>(named: readonly T[]): T[] {
  const keys = named.map(({ attachment }) => keyOf(attachment))
  return named.filter((_, place) => keys.indexOf(keys[place] as string) === place)
}

/** Replaces the attachments of an assignment, and starts the jobs that fetch the facts about their URLs. */
export async function saveAttachments(
  ctx: Pick<Context, 'jobs' | 'config'>,
  tx: Transaction,
  actor: Actor,
  assignment: string,
  attachments: readonly Attachment[],
): Promise<void> {
  await replaceAttachments(tx, assignment, attachments)
  await requestWebFacts(
    ctx,
    tx,
    actor,
    attachments.flatMap(({ url }) => url ?? []),
  )
}

type AttachmentKey = Pick<
  Attachment,
  'score_id' | 'revision_id' | 'part_uuid' | 'worksheet' | 'google_drive_file_id' | 'url'
>

/** The key of an attachment. Attachments with the same key are duplicates. */
const keyOf = ({
  score_id,
  revision_id,
  part_uuid,
  worksheet,
  google_drive_file_id,
  url,
}: AttachmentKey): string =>
  JSON.stringify([score_id, revision_id, part_uuid, worksheet, google_drive_file_id, url])

export const isSame = (one: AttachmentKey, other: AttachmentKey): boolean => keyOf(one) === keyOf(other)

function parseAttachment(actor: Actor, creation: ClassAttachmentCreation, index: number): Attachment {
  const type = creation.type ?? typeOf(creation) ?? refuse(index, 'type', 'is missing')
  const isScore = type === 'flat'
  const sharingMode = isScore ? (creation.sharingMode ?? 'read') : null
  return {
    ...emptyAttachment,
    type,
    score_id: isScore ? requiredField(creation, 'score', index) : null,
    revision_id: (isScore && creation.revision) || null,
    part_uuid: (isScore && creation.partUuid) || null,
    sharing_mode: sharingMode,
    lock_score_template: sharingMode === 'copy' && creation.lockScoreTemplate ? 1 : 0,
    worksheet: type === 'worksheet' ? requiredField(creation, 'worksheet', index) : null,
    url: webTypes.includes(type) ? parseUrl(requiredField(creation, 'url', index), index) : null,
    google_drive_file_id: type === 'googleDrive' ? requiredField(creation, 'googleDriveFileId', index) : null,
    teacher_only: creation.teacherOnly ? 1 : 0,
    attached_by: isScore ? actor.id : null,
  }
}

const webTypes: readonly AttachmentType[] = ['rich', 'photo', 'video', 'link']

/** Returns the type of an attachment whose body has no type. */
function typeOf({
  score,
  worksheet,
  googleDriveFileId,
  url,
}: ClassAttachmentCreation): AttachmentType | undefined {
  if (score !== undefined) return 'flat'
  if (worksheet !== undefined) return 'worksheet'
  if (googleDriveFileId !== undefined) return 'googleDrive'
  return url === undefined ? undefined : 'link'
}

function requiredField(
  creation: ClassAttachmentCreation,
  field: 'score' | 'worksheet' | 'googleDriveFileId' | 'url',
  index: number,
): string {
  return (
    creation[field] ||
    refuse(index, field, `is required for an attachment of the type ${creation.type ?? field}`)
  )
}

function parseUrl(text: string, index: number): string {
  const url = URL.parse(text)
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    refuse(index, 'url', 'must be a URL that begins with https:// or http://')
  }
  if (url.href.length > maxUrlLength) refuse(index, 'url', `is longer than ${maxUrlLength} characters`)
  return url.href
}

/** Checks that the actor has the access to a score that the attachment gives to the class. */
async function checkScore(
  queries: Queries,
  actor: Actor,
  attachment: Attachment,
  index: number,
  known: readonly Attachment[],
): Promise<void> {
  const ofScore = known.filter(({ score_id }) => score_id === attachment.score_id)
  const withAccess = ofScore.filter(
    ({ sharing_mode }) => accessLevelOf(sharing_mode) >= accessLevelOf(attachment.sharing_mode),
  )
  const identical = withAccess.find((candidate) => isSame(candidate, attachment))
  attachment.is_copy = ofScore[0]?.is_copy ?? 0
  if (identical) {
    attachment.attached_by = identical.attached_by
    return
  }
  const isKnown = withAccess.length > 0
  const { score_id, revision_id, part_uuid, sharing_mode } = attachment
  const can = isKnown || accessLevelOf(sharing_mode) === 1 ? canRead : canWrite
  const { score } = await withParam(index, 'score', () => loadScore(queries, actor, score_id ?? '', can))
  if (score.trashed) fail('SCORE_TRASHED', { param: `attachments.${index}.score` })
  if (revision_id === null && part_uuid === null) return
  const revision = await withParam(index, 'revision', () =>
    loadRevision(queries, score, revision_id ?? 'last'),
  )
  const parts: string[] = JSON.parse(revision.part_uuids)
  if (part_uuid !== null && !parts.includes(part_uuid))
    refuse(index, 'partUuid', 'must be a part of the score')
  if (revision_id !== null) attachment.revision_id = revision.id
}

async function withParam<T>(index: number, field: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Failure) fail(error.code, { param: `attachments.${index}.${field}` })
    throw error
  }
}

function refuse(index: number, field: string, problem: string): never {
  const param = `attachments.${index}.${field}`
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}
