import Type, { type Static } from 'typebox'
import { RecordingMediaType } from './recordings.ts'
import { DateTime, extension, named, OneOf, Text, Title } from './schema.ts'

const ScoreTrackType = named('ScoreTrackType', OneOf(['audio', 'soundcloud', 'youtube', 'vimeo']))
export type ScoreTrackType = Static<typeof ScoreTrackType>

const ScoreTrackPurpose = named(
  'ScoreTrackPurpose',
  OneOf(['common', 'performanceSubmission'], {
    default: 'common',
    description:
      'A `common` track is for every reader of the score. A `performanceSubmission` is a recording ' +
      'of a user who plays the score. It is visible to its creator, to the administrators of the ' +
      'score, and to the teachers and administrators of the creator’s organization.',
  }),
)
export type ScoreTrackPurpose = Static<typeof ScoreTrackPurpose>

const ScoreTrackState = named(
  'ScoreTrackState',
  OneOf(['draft', 'completed', 'deleted'], {
    default: 'draft',
    description:
      'A `common` track is visible to the writers of the score while it is a `draft`, and to all ' +
      'readers once it is `completed`. A `deleted` track is in no list. A user who may change it ' +
      'can still get it by its id and restore it.',
  }),
)
export type ScoreTrackState = Static<typeof ScoreTrackState>

const ScoreTrackPoint = named(
  'ScoreTrackPoint',
  Type.Object(
    {
      type: OneOf(['measure', 'end'], {
        description: 'The start of a measure, or the end of the score.',
      }),
      measureUuid: Type.Optional(
        Type.String({
          format: 'uuid',
          maxLength: 36,
          description: 'For a `measure`: the uuid of the measure in the last revision.',
        }),
      ),
      time: Type.Number({ minimum: 0, description: 'Position in the recording, in seconds.' }),
    },
    { description: 'The position in the score that is played at a position in the recording.' },
  ),
)
export type ScoreTrackPoint = Static<typeof ScoreTrackPoint>

export const ScoreTrack = named(
  'ScoreTrack',
  Type.Object({
    id: Type.String(),
    title: Type.Optional(Type.String()),
    score: Type.String(),
    creator: Type.String({ description: 'The user who added the track.' }),
    creationDate: DateTime,
    modificationDate: DateTime,
    default: Type.Boolean({
      description: 'Whether clients should play this track if the user has not chosen one.',
    }),
    state: ScoreTrackState,
    type: ScoreTrackType,
    purpose: ScoreTrackPurpose,
    url: Type.Optional(Type.String()),
    file: Type.Optional(
      Type.Object(
        { mediaType: RecordingMediaType, size: Type.Integer({ description: 'The number of bytes.' }) },
        {
          ...extension,
          description:
            'The recording, if this server stores it. `url` is then the address of `getScoreTrackFile`.',
        },
      ),
    ),
    mediaId: Type.Optional(Type.String({ description: 'The identifier of the recording at its service.' })),
    synchronizationPoints: Type.Optional(Type.Array(ScoreTrackPoint)),
  }),
)
export type ScoreTrack = Static<typeof ScoreTrack>

const settings = {
  title: Type.Optional(Title()),
  default: Type.Optional(
    Type.Boolean({
      description: 'Whether this track becomes the default track. Only a `common` track can be the default.',
    }),
  ),
  state: Type.Optional(ScoreTrackState),
  purpose: Type.Optional(ScoreTrackPurpose),
  synchronizationPoints: Type.Optional(
    Type.Array(ScoreTrackPoint, {
      // The limit is higher than for other lists: an act of an opera has many measures, and repeats add to
      // them.
      maxItems: 5000,
      description:
        'In playing order. Each point must be later than the one before it, and the end comes last.',
    }),
  ),
}

export const ScoreTrackCreation = named(
  'ScoreTrackCreation',
  Type.Object({
    ...settings,
    url: Type.Optional(
      Text({
        description:
          'Required unless there is an `upload`: the `https` or `http` address of the recording. It can be ' +
          'a YouTube or Vimeo video, a SoundCloud track, or an audio file. The server stores only the address.',
      }),
    ),
    upload: Type.Optional(
      Type.String({
        ...extension,
        maxLength: 24,
        description:
          'The id of a complete upload of the caller. The server keeps its recording with the track.',
      }),
    ),
  }),
)
export type ScoreTrackCreation = Static<typeof ScoreTrackCreation>

export const ScoreTrackUpdate = named('ScoreTrackUpdate', Type.Object(settings))
export type ScoreTrackUpdate = Static<typeof ScoreTrackUpdate>

export const ScoreTrackCreationResponse = named(
  'ScoreTrackCreationResponse',
  Type.Object({ track: ScoreTrack }),
)
