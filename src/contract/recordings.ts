import Type, { type Static } from 'typebox'
import { recordingMediaTypes } from '../lib/recording-type.ts'
import { maxRecordingBytes, partBytes } from './recording-files.ts'
import { Bytes, DateTime, named, OneOf, Url } from './schema.ts'

export const RecordingMediaType = named('RecordingMediaType', OneOf(recordingMediaTypes))

export const NewRecordingUpload = named(
  'NewRecordingUpload',
  Type.Object({
    size: Type.Integer({
      minimum: 1,
      maximum: maxRecordingBytes,
      description: 'The number of bytes of the recording.',
    }),
  }),
)

export const RecordingUpload = named(
  'RecordingUpload',
  Type.Object({
    id: Type.String(),
    size: Type.Integer({ description: 'The number of bytes of the recording.' }),
    received: Type.Integer({
      description: 'The number of bytes that the server has stored. The next part begins here.',
    }),
    mediaType: Type.Optional(RecordingMediaType),
    expirationDate: Type.String({
      format: 'date-time',
      description: 'When the server deletes the upload, unless a track has got the recording.',
    }),
  }),
)
export type RecordingUpload = Static<typeof RecordingUpload>

export const uploadParams = Type.Object({ upload: Type.String() })

export const partParams = Type.Object({
  upload: Type.String(),
  start: Type.Integer({
    minimum: 0,
    maximum: maxRecordingBytes,
    description: 'The position of the first byte of the part in the recording.',
  }),
})

export const RecordingPart = Bytes({
  maxLength: partBytes.most,
  description: `The bytes of the part: at most ${partBytes.most}, and at least ${partBytes.least} unless it is the last part.`,
})

export const TrackLink = named(
  'ScoreTrackLink',
  Type.Object({
    url: Url,
    mediaType: RecordingMediaType,
    expirationDate: DateTime,
  }),
)
