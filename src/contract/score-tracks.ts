import Type, { type Static } from 'typebox'
import { DateTime, named, OneOf, Text, Title } from './schema.ts'

const ScoreTrackType = named('ScoreTrackType', OneOf(['audio', 'soundcloud', 'youtube', 'vimeo']))
export type ScoreTrackType = Static<typeof ScoreTrackType>

const ScoreTrackPurpose = named(
  'ScoreTrackPurpose',
  OneOf(['common', 'performanceSubmission'], {
    default: 'common',
    description:
      '`common` is for whoever reads the score. A `performanceSubmission` is how somebody plays it: for its creator, the ' +
      'administrators of the score, and the teachers and administrators of the creator’s organization.',
  }),
)
export type ScoreTrackPurpose = Static<typeof ScoreTrackPurpose>

const ScoreTrackState = named(
  'ScoreTrackState',
  OneOf(['draft', 'completed', 'deleted'], {
    default: 'draft',
    description:
      'A `common` track is seen by the writers of the score while it is a `draft`, by all readers once it is `completed`. ' +
      'One that is `deleted` is in no list; who may change it still finds it by its id, and may bring it back.',
  }),
)
export type ScoreTrackState = Static<typeof ScoreTrackState>

const ScoreTrackPoint = named(
  'ScoreTrackPoint',
  Type.Object(
    {
      type: OneOf(['measure', 'end'], { description: 'The beginning of a measure, or where the score ends.' }),
      measureUuid: Type.Optional(
        Type.String({ format: 'uuid', maxLength: 36, description: 'Of a `measure`: which one of the last revision.' }),
      ),
      time: Type.Number({ minimum: 0, description: 'In the recording, in seconds.' }),
    },
    { description: 'What of the score is played at a time of the recording.' },
  ),
)
export type ScoreTrackPoint = Static<typeof ScoreTrackPoint>

export const ScoreTrack = named(
  'ScoreTrack',
  Type.Object({
    id: Type.String(),
    title: Type.Optional(Type.String()),
    score: Type.String(),
    creator: Type.String({ description: 'Who added it.' }),
    creationDate: DateTime,
    modificationDate: DateTime,
    default: Type.Boolean({ description: 'Whether it is the one to play where none is chosen.' }),
    state: ScoreTrackState,
    type: ScoreTrackType,
    purpose: ScoreTrackPurpose,
    url: Type.Optional(Type.String()),
    mediaId: Type.Optional(Type.String({ description: 'What its service calls the recording.' })),
    synchronizationPoints: Type.Optional(Type.Array(ScoreTrackPoint)),
  }),
)
export type ScoreTrack = Static<typeof ScoreTrack>

const settings = {
  title: Type.Optional(Title()),
  default: Type.Optional(
    Type.Boolean({ description: 'Whether it takes the place of the default track. Only a `common` one can.' }),
  ),
  state: Type.Optional(ScoreTrackState),
  purpose: Type.Optional(ScoreTrackPurpose),
  synchronizationPoints: Type.Optional(
    Type.Array(ScoreTrackPoint, {
      // An act of an opera has more measures than lists have entries elsewhere, and repeats add to them.
      maxItems: 5000,
      description: 'In the order of playing: each point is later than the one before it, and the end comes last.',
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
          'Where the recording is (`https` or `http`), which is needed: a video of YouTube or Vimeo, a track of ' +
          'SoundCloud, or else a file of sound. The server only keeps the address.',
      }),
    ),
  }),
)
export type ScoreTrackCreation = Static<typeof ScoreTrackCreation>

export const ScoreTrackUpdate = named('ScoreTrackUpdate', Type.Object(settings))
export type ScoreTrackUpdate = Static<typeof ScoreTrackUpdate>

export const ScoreTrackCreationResponse = named('ScoreTrackCreationResponse', Type.Object({ track: ScoreTrack }))
