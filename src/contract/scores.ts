import Type, { type Static } from 'typebox'
import { DateTime, extension, List, Nullable, named, OneOf, Text, Title, Url } from './schema.ts'
import { ResourceCollaborator, ResourceRights } from './sharing.ts'
import { UserPublic } from './users.ts'

export const scorePrivacies = ['public', 'private', 'organizationPublic', 'privateLink'] as const

export const ScorePrivacy = named(
  'ScorePrivacy',
  OneOf(scorePrivacies, {
    default: 'private',
    description: '`privateLink` opens the score to everyone who has its sharing key.',
  }),
)
export type ScorePrivacy = Static<typeof ScorePrivacy>

const ScoreLicense = named(
  'ScoreLicense',
  Nullable(
    OneOf(['copyright', 'cc0', 'cc-by', 'cc-by-sa', 'cc-by-nd', 'cc-by-nc', 'cc-by-nc-sa', 'cc-by-nc-nd'], {
      description: 'The licence of the score.',
    }),
  ),
)

const ScoreCreationType = named('ScoreCreationType', Nullable(OneOf(['original', 'arrangement', 'other'])))

const counts = {
  total: Type.Optional(Type.Number()),
  weekly: Type.Optional(Type.Number({ description: 'In the last 7 days (UTC), today included.' })),
  monthly: Type.Optional(Type.Number({ description: 'In the last 30 days.' })),
  yearly: Type.Optional(Type.Number({ description: 'In the last 365 days.' })),
}
const ScoreLikesCounts = named('ScoreLikesCounts', Type.Object(counts))
const ScoreCommentsCounts = named(
  'ScoreCommentsCounts',
  Type.Object(
    { ...counts, unique: Type.Optional(Type.Number({ description: 'The number of users who commented.' })) },
    {
      description:
        'The comments on the whole score. Inline comments are not counted. The weekly, monthly and yearly ' +
        'counts are, like `unique`, numbers of users.',
    },
  ),
)
const ScoreViewsCounts = named('ScoreViewsCounts', Type.Object(counts))
const ScorePlaysCounts = named('ScorePlaysCounts', Type.Object(counts))

const ScoreSummary = named(
  'ScoreSummary',
  Type.Object({
    id: Type.String(),
    sharingKey: Type.Optional(
      Type.String({ description: 'Returned to the administrators of the score only.' }),
    ),
    title: Type.String(),
    privacy: ScorePrivacy,
    user: UserPublic,
    htmlUrl: Url,
  }),
)

export const ImportWarning = named(
  'ImportWarning',
  Type.Object({
    line: Nullable(Type.Integer({ minimum: 1, description: 'The line in the file. Null if it is none.' })),
    message: Type.String({ description: 'What was wrong, and what was done.' }),
  }),
)
export type ImportWarning = Static<typeof ImportWarning>

const ImportWarnings = Type.Optional(
  Type.Array(ImportWarning, {
    ...extension,
    description:
      'What was changed in a faulty file so that it could be imported. At most 100 changes are listed, and then their number.',
  }),
)

export const ScoreDetails = named(
  'ScoreDetails',
  Type.Object({
    ...ScoreSummary.properties,
    editHtmlUrl: Url,
    subtitle: Type.Optional(Type.String()),
    lyricist: Type.Optional(Type.String()),
    arranger: Type.Optional(Type.String()),
    composer: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String({ pattern: '^[a-zA-Z0-9]{1,30}$' }))),
    creationType: Type.Optional(ScoreCreationType),
    license: Type.Optional(ScoreLicense),
    licenseText: Type.Optional(Type.String()),
    durationTime: Type.Optional(
      Type.Number({ description: 'Duration of a playback with all repeats, in seconds.' }),
    ),
    numberMeasures: Type.Optional(Type.Integer()),
    mainTempoQpm: Type.Optional(Type.Number({ description: 'Quarter notes per minute.' })),
    mainKeySignature: Type.Optional(Type.Number({ description: 'Sharps (positive) or flats (negative).' })),
    rights: Type.Optional(ResourceRights),
    collaborators: Type.Array(ResourceCollaborator),
    creationDate: DateTime,
    modificationDate: Type.Optional(DateTime),
    publicationDate: Type.Optional(DateTime),
    scheduledDeletionDate: Type.Optional(DateTime),
    highlightedDate: Type.Optional(DateTime),
    organization: Type.Optional(Type.String()),
    parentScore: Type.Optional(Type.String()),
    instruments: Type.Array(Type.String({ description: '`group.instrument`, one entry for each part.' })),
    instrumentsNames: Type.Array(Type.String({ description: 'In the language of the request.' })),
    samples: Type.Array(
      Type.String({
        description:
          '`group.sound`: the General MIDI sound of each instrument, one entry for each part. A MIDI program in the file can ' +
          'choose another sound for playback.',
      }),
    ),
    googleDriveFileId: Type.Optional(Type.String()),
    likes: Type.Optional(ScoreLikesCounts),
    comments: Type.Optional(ScoreCommentsCounts),
    views: Type.Optional(ScoreViewsCounts),
    plays: Type.Optional(ScorePlaysCounts),
    collections: Type.Optional(
      Type.Array(Type.String(), { description: 'The collections of the caller that contain the score.' }),
    ),
    me: Type.Optional(Type.Object({ isLiked: Type.Boolean(), isInLibrary: Type.Boolean() })),
    importWarnings: ImportWarnings,
  }),
)
export type ScoreDetails = Static<typeof ScoreDetails>

const ScoreCreationCommon = named(
  'ScoreCreationCommon',
  Type.Object({
    title: Type.Optional(Title()),
    privacy: Type.Optional(ScorePrivacy),
    collection: Type.Optional(
      Text({
        description:
          'The collection that receives the score: an id or an alias. Defaults to the collection of ' +
          'the app.',
      }),
    ),
    googleDriveFolder: Type.Optional(Text()),
  }),
)

const ScoreCreationBuilderData = named(
  'ScoreCreationBuilderData',
  Type.Object({
    ...ScoreCreationCommon.properties,
    title: Title(),
    builderData: Type.Object({
      scoreData: Type.Object({
        useTabStaff: Type.Optional(Type.Boolean()),
        useChordGrid: Type.Optional(Type.Boolean()),
        fifths: Type.Optional(Type.Number()),
        nbBeats: Type.Optional(Type.Number()),
        beatType: Type.Optional(Type.Number()),
        instruments: List(
          Type.Object({
            group: Title(),
            instrument: Title(),
            longName: Type.Optional(Title()),
            shortName: Type.Optional(Title()),
            hasQuarterTone: Type.Optional(Type.Boolean()),
          }),
        ),
      }),
      layoutData: Type.Optional(
        Type.Object({
          notesSpacingCoeff: Type.Optional(Type.Number()),
          lengthUnit: Type.Optional(OneOf(['cm', 'inch'], { default: 'cm' })),
          pageHeight: Type.Optional(Type.Number()),
          pageWidth: Type.Optional(Type.Number()),
          pageMarginTop: Type.Optional(Type.Number()),
          pageMarginBottom: Type.Optional(Type.Number()),
          pageMarginLeft: Type.Optional(Type.Number()),
          pageMarginRight: Type.Optional(Type.Number()),
        }),
      ),
    }),
  }),
)
export type ScoreCreationBuilderData = Static<typeof ScoreCreationBuilderData>

export const ScoreFile = named(
  'ScoreFile',
  Type.Object({
    data: Type.String({
      description: 'The file: text, or base64-encoded bytes together with `dataEncoding`.',
    }),
    dataEncoding: Type.Optional(OneOf(['base64'])),
  }),
)

const ScoreCreationFileImport = named(
  'ScoreCreationFileImport',
  Type.Object({
    ...ScoreCreationCommon.properties,
    filename: Type.Optional(Title()),
    ...ScoreFile.properties,
    supportsTasks: Type.Optional(
      Type.Boolean({ description: 'Whether the server may answer a slow import with a task (202).' }),
    ),
  }),
)
export type ScoreCreationFileImport = Static<typeof ScoreCreationFileImport>

const ScoreSource = named('ScoreSource', Type.Object({ googleDrive: Type.Optional(Text()) }))

const ScoreCreationGoogleDriveImport = named(
  'ScoreCreationGoogleDriveImport',
  Type.Object({ ...ScoreCreationCommon.properties, source: ScoreSource }),
)
type ScoreCreationGoogleDriveImport = Static<typeof ScoreCreationGoogleDriveImport>

export const ScoreCreation = named(
  'ScoreCreation',
  Type.Unsafe<ScoreCreationBuilderData | ScoreCreationFileImport | ScoreCreationGoogleDriveImport>({
    anyOf: [ScoreCreationBuilderData, ScoreCreationFileImport, ScoreCreationGoogleDriveImport],
  }),
)
export type ScoreCreation = Static<typeof ScoreCreation>

export const ScoreFork = named(
  'ScoreFork',
  Type.Object({
    collection: Type.Optional(
      Nullable(
        Text({
          description:
            'The collection that receives the copy: an id or an alias. Defaults to the collection of ' +
            'the app. With null or a virtual collection, the copy is in no collection.',
        }),
      ),
    ),
    googleDriveDisabled: Type.Optional(
      Type.Boolean({ default: false, description: 'The server never stores scores there.' }),
    ),
    keepOriginalTitle: Type.Optional(
      Type.Boolean({ description: 'Whether to leave out `Copy of` before the title.' }),
    ),
  }),
)

const line = Type.Optional(Nullable(Title()))

export const ScoreModification = named(
  'ScoreModification',
  Type.Object({
    title: Type.Optional(Title()),
    subtitle: line,
    composer: line,
    lyricist: line,
    arranger: line,
    privacy: Type.Optional(ScorePrivacy),
    sharingKey: Type.Optional(Type.String({ pattern: '^[a-f0-9]{128}$' })),
    description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    tags: Type.Optional(List(Type.String({ pattern: '^[a-zA-Z0-9]{1,30}$' }))),
    creationType: Type.Optional(ScoreCreationType),
    license: Type.Optional(ScoreLicense),
    licenseText: Type.Optional(Nullable(Text())),
  }),
)
export type ScoreModification = Static<typeof ScoreModification>

export const ScoreRevision = named(
  'ScoreRevision',
  Type.Object({
    id: Type.String(),
    user: Type.Optional(Type.String({ description: 'The user who created the revision.' })),
    score: Type.String(),
    collaborators: Type.Optional(Type.Array(Type.String())),
    date: DateTime,
    event: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    autosave: Type.Optional(Type.Boolean()),
    importWarnings: ImportWarnings,
    statistics: Type.Optional(
      named(
        'ScoreRevisionStatistics',
        Type.Object({
          additions: Type.Optional(
            Type.Number({ description: 'Number of notes that the previous revision does not have.' }),
          ),
          deletions: Type.Optional(
            Type.Number({ description: 'Number of notes that only the previous revision has.' }),
          ),
          startDate: Type.Optional({
            ...DateTime,
            description: 'The date of the revision that this one was made from. The first has its own date.',
          }),
          endDate: Type.Optional({ ...DateTime, description: 'The date of this revision.' }),
        }),
      ),
    ),
  }),
)
export type ScoreRevision = Static<typeof ScoreRevision>

export const ScoreComparison = named(
  'ScoreComparison',
  Type.Object({
    parts: Type.Array(
      Type.Object({
        uuid: Type.String(),
        name: Type.String(),
        change: OneOf(['added', 'removed']),
      }),
      { description: 'The parts that only one of the revisions has.' },
    ),
    measures: Type.Array(
      Type.Object({
        uuid: Type.String(),
        number: Type.String({ description: 'As it is written in the score.' }),
        change: OneOf(['added', 'removed', 'changed']),
        parts: Type.Array(
          Type.Object({
            part: Type.String({ description: 'The uuid of the part.' }),
            name: Type.String(),
            additions: Type.Integer({ description: 'Notes that only the later revision has.' }),
            deletions: Type.Integer({ description: 'Notes that only the earlier revision has.' }),
            hasOtherChanges: Type.Boolean({
              description: 'The notes are the same, but something else is not: lyrics, dynamics or signs.',
            }),
          }),
          { description: 'What was changed in each part. Empty for an added or removed measure.' },
        ),
      }),
      { description: 'In the order of the score.' },
    ),
  }),
)

export type ScoreComparison = Static<typeof ScoreComparison>

export const ScoreRevisionCreation = named(
  'ScoreRevisionCreation',
  Type.Object({
    data: Type.String({
      description: 'The file: text, or base64-encoded bytes together with `dataEncoding`.',
    }),
    dataEncoding: Type.Optional(OneOf(['base64'])),
    autosave: Type.Optional(
      Type.Boolean({ description: 'Whether an editor saved this revision automatically.' }),
    ),
    description: Type.Optional(Text()),
  }),
)
export type ScoreRevisionCreation = Static<typeof ScoreRevisionCreation>
