import type { AssignmentType, ClassAssignment } from '../../../../src/contract/assignments.ts'
import type {
  ClassAttachmentCreation,
  MediaAttachment,
  MediaScoreSharingMode,
} from '../../../../src/contract/attachments.ts'

/** What students do with an attached score. Only teachers see it if it is `teacherOnly`. */
export type ScoreUse = MediaScoreSharingMode | 'teacherOnly'

/** An attachment while a teacher writes the assignment. */
export type AttachmentDraft =
  | {
      readonly kind: 'score'
      readonly score: string
      readonly title: string
      readonly use: ScoreUse
      /** The attachment as it was, with the fields that the form does not show. */
      readonly before?: ClassAttachmentCreation
    }
  | { readonly kind: 'other'; readonly title: string; readonly creation: ClassAttachmentCreation }

/** What the scores of an assignment can be used for, the usual use first. */
export function usesIn(type: AssignmentType): readonly ScoreUse[] {
  switch (type) {
    case 'scoreTemplate':
      return ['copy', 'read', 'teacherOnly']
    case 'sharedWriting':
      return ['write', 'read', 'teacherOnly']
    case 'performance':
      return ['performance', 'read', 'teacherOnly']
    default:
      return ['read', 'teacherOnly']
  }
}

/** Returns the use, or the usual one if the type of assignment does not have it. */
export const useIn = (type: AssignmentType, use: ScoreUse): ScoreUse => {
  const uses = usesIn(type)
  return uses.includes(use) ? use : (uses[0] ?? 'read')
}

export function draftsOf({ attachments }: Pick<ClassAssignment, 'attachments'>): AttachmentDraft[] {
  return attachments.map((attachment) => {
    const { score, title = '', sharingMode = 'read', teacherOnly } = attachment
    const creation = creationOf(attachment)
    if (score === undefined) return { kind: 'other', title: title || (attachment.url ?? ''), creation }
    return { kind: 'score', score, title, use: teacherOnly ? 'teacherOnly' : sharingMode, before: creation }
  })
}

/** Returns the fields of an attachment that a request takes. */
function creationOf(attachment: MediaAttachment): ClassAttachmentCreation {
  const { type, score, worksheet, revision, partUuid, sharingMode, url, googleDriveFileId } = attachment
  const { lockScoreTemplate, teacherOnly } = attachment
  const all = {
    type,
    score,
    worksheet,
    revision,
    partUuid,
    sharingMode,
    url,
    googleDriveFileId,
    lockScoreTemplate,
    teacherOnly,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Returns the attachments as a request takes them. */
export function creationsOf(
  drafts: readonly AttachmentDraft[],
  type: AssignmentType,
): ClassAttachmentCreation[] {
  return drafts.map((draft) => {
    if (draft.kind === 'other') return draft.creation
    const use = useIn(type, draft.use)
    return {
      ...draft.before,
      type: 'flat',
      score: draft.score,
      sharingMode: use === 'teacherOnly' ? 'read' : use,
      teacherOnly: use === 'teacherOnly',
    }
  })
}

/** Whether a text is an address that can be attached. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null && ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.password === ''
  )
}
