import Type, { type Static } from 'typebox'
import { named, OneOf, Text } from './schema.ts'

/** The types of the published interface. `flat` is a score on this server. */
const AttachmentType = OneOf(['rich', 'photo', 'video', 'link', 'flat', 'googleDrive', 'worksheet'])
export type AttachmentType = Static<typeof AttachmentType>

const MediaScoreSharingMode = named(
  'MediaScoreSharingMode',
  OneOf(['read', 'write', 'copy', 'performance'], {
    default: 'read',
    description:
      'What students do with the score: `read` it, `write` in it together, work in a `copy` of ' +
      'their own, or play it (`performance`).',
  }),
)
export type MediaScoreSharingMode = Static<typeof MediaScoreSharingMode>

const teacherOnly = Type.Optional(
  Type.Boolean({ default: false, description: 'Whether responses to students omit the attachment.' }),
)
const lockScoreTemplate = Type.Optional(
  Type.Boolean({
    description:
      'Whether the notes of the score cannot be changed or deleted in the copies of the students. Used ' +
      'only with the sharing mode `copy`.',
  }),
)

export const MediaAttachment = named(
  'MediaAttachment',
  Type.Object({
    type: AttachmentType,
    score: Type.Optional(Type.String()),
    revision: Type.Optional(Type.String()),
    worksheet: Type.Optional(Type.String()),
    dedicated: Type.Optional(
      Type.Boolean({ description: 'Whether the score was created for this submission.' }),
    ),
    track: Type.Optional(Type.String()),
    partUuid: Type.Optional(Type.String()),
    sharingMode: Type.Optional(MediaScoreSharingMode),
    lockScoreTemplate,
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    htmlWidth: Type.Optional(Type.Number()),
    htmlHeight: Type.Optional(Type.Number()),
    url: Type.Optional(Type.String()),
    thumbnailUrl: Type.Optional(Type.String()),
    thumbnailWidth: Type.Optional(Type.Integer()),
    thumbnailHeight: Type.Optional(Type.Integer()),
    authorName: Type.Optional(Type.String()),
    authorUrl: Type.Optional(Type.String()),
    iconUrl: Type.Optional(Type.String()),
    mimeType: Type.Optional(Type.String()),
    googleDriveFileId: Type.Optional(Type.String()),
    teacherOnly,
  }),
)
export type MediaAttachment = Static<typeof MediaAttachment>

export const ClassAttachmentCreation = named(
  'ClassAttachmentCreation',
  Type.Object({
    type: Type.Optional(AttachmentType),
    score: Type.Optional(Text()),
    worksheet: Type.Optional(Text()),
    revision: Type.Optional(Text()),
    partUuid: Type.Optional(Text()),
    sharingMode: Type.Optional(MediaScoreSharingMode),
    lockScoreTemplate,
    url: Type.Optional(Text({ description: 'An http or https address.' })),
    googleDriveFileId: Type.Optional(Text()),
    teacherOnly,
  }),
)
export type ClassAttachmentCreation = Static<typeof ClassAttachmentCreation>
