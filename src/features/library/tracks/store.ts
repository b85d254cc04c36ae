import { sql } from 'kysely'
import type { RecordingMediaType } from '../../../lib/recording-type.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreTracksTable } from '../../../platform/db/score-tables.ts'

/** What a track shows of its file. All are null if the recording is stored elsewhere. */
export interface TrackFile {
  readonly file_id: string | null
  readonly file_type: RecordingMediaType | null
  readonly file_size: number | null
}

/** A track with the organization of its creator, and its file. */
export type TrackRow = ScoreTracksTable & TrackFile & { creator_organization: string | null }

const trackColumns = [
  'score_tracks.id',
  'score_tracks.score_id',
  'score_tracks.creator_id',
  'score_tracks.title',
  'score_tracks.type',
  'score_tracks.url',
  'score_tracks.media_id',
  'score_tracks.purpose',
  'score_tracks.state',
  'score_tracks.is_default',
  'score_tracks.points',
  'score_tracks.created_at',
  'score_tracks.modified_at',
  'creator.organization_id as creator_organization',
  'file.id as file_id',
  'file.media_type as file_type',
  'file.size as file_size',
] as const

const trackById = compiled((db, p: Params<{ score: string; id: string }>) =>
  db
    .selectFrom('score_tracks')
    .innerJoin('users as creator', 'creator.id', 'score_tracks.creator_id')
    .leftJoin('recording_files as file', 'file.track_id', 'score_tracks.id')
    .select(trackColumns)
    .where('score_tracks.id', '=', p('id'))
    .where('score_tracks.score_id', '=', p('score')),
)

export async function findTrack(
  queries: Queries,
  by: { score: string; id: string },
): Promise<TrackRow | undefined> {
  const [track] = await trackById(queries, by)
  return track
}

const defaultOfScore = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('score_tracks')
    .innerJoin('users as creator', 'creator.id', 'score_tracks.creator_id')
    .leftJoin('recording_files as file', 'file.track_id', 'score_tracks.id')
    .select(trackColumns)
    .where('score_tracks.score_id', '=', p('score'))
    .where('score_tracks.is_default', '=', sql.lit(1 as const)),
)

export async function findDefaultTrack(queries: Queries, score: string): Promise<TrackRow | undefined> {
  const [track] = await defaultOfScore(queries, { score })
  return track
}

/** Finds the default track of a score if a copy of the score includes it. */
export async function findTrackToCopy(
  queries: Queries,
  score: string,
): Promise<ScoreTracksTable | undefined> {
  return queries
    .selectFrom('score_tracks')
    .selectAll()
    .where('score_id', '=', score)
    .where('is_default', '=', 1)
    .where('purpose', '=', 'common')
    .where('state', '=', 'completed')
    .executeTakeFirst()
}

/** The viewer's properties that decide which tracks of a score a list shows. */
export interface TrackListViewer {
  viewer: string
  writes: 0 | 1
  administers: 0 | 1
  /**
   * The organization in which the viewer is a teacher or an administrator. An empty string if there is none.
   */
  teachesIn: string
}

/** Maximum number of bytes of synchronization points in a list. */
const maxListedBytes = 16 * 1024 * 1024

const tracksOfScore = compiled((db, p: Params<{ score: string } & TrackListViewer>) =>
  db
    .selectFrom((visible) =>
      visible
        .selectFrom('score_tracks')
        .innerJoin('users as creator', 'creator.id', 'score_tracks.creator_id')
        .select('score_tracks.id')
        .select(sql<number>`sum(octet_length(points)) over (order by score_tracks.id desc)`.as('bytes'))
        .where('score_tracks.score_id', '=', p('score'))
        .where('score_tracks.state', '<>', 'deleted')
        .where((eb) =>
          eb.or([
            eb.and([
              eb('score_tracks.purpose', '=', 'common'),
              eb.or([eb('score_tracks.state', '=', 'completed'), eb(p('writes'), '=', 1)]),
            ]),
            eb.and([
              eb('score_tracks.purpose', '=', 'performanceSubmission'),
              eb.or([
                eb('score_tracks.creator_id', '=', p('viewer')),
                eb(p('administers'), '=', 1),
                eb('creator.organization_id', '=', p('teachesIn')),
              ]),
            ]),
          ]),
        )
        .as('newest'),
    )
    .innerJoin('score_tracks', 'score_tracks.id', 'newest.id')
    .innerJoin('users as creator', 'creator.id', 'score_tracks.creator_id')
    .leftJoin('recording_files as file', 'file.track_id', 'score_tracks.id')
    .select(trackColumns)
    .where('newest.bytes', '<=', sql.lit(maxListedBytes))
    .orderBy('newest.id', 'desc'),
)

/**
 * Lists the tracks that the viewer can see, newest first, as long as their points have at most 16 MiB together. The condition is the same rule as `canSee` in the
 * policy.
 */
export async function listTracks(
  queries: Queries,
  by: { score: string } & TrackListViewer,
): Promise<TrackRow[]> {
  return tracksOfScore(queries, by)
}

const tracksOfCreator = compiled((db, p: Params<{ score: string; creator: string }>) =>
  db
    .selectFrom('score_tracks')
    .where('score_id', '=', p('score'))
    .where('creator_id', '=', p('creator'))
    .select((eb) => eb.fn.countAll<number>().as('count')),
)

/** Returns the number of tracks that a user has added to a score. */
export async function countTracks(queries: Queries, by: { score: string; creator: string }): Promise<number> {
  const [row] = await tracksOfCreator(queries, by)
  return row?.count ?? 0
}

const insertRow = insertion('score_tracks')

/** Inserts a track. If it is the default, the previous default track loses that state. */
export async function insertTrack(tx: Transaction, track: ScoreTracksTable): Promise<void> {
  if (track.is_default) await endDefault(tx, track.score_id)
  await insertRow(tx, track)
}

/** The columns of a track that a user can change. */
export type TrackSettings = Pick<
  ScoreTracksTable,
  'title' | 'purpose' | 'state' | 'is_default' | 'points' | 'modified_at'
>

/** Updates a track. If it becomes the default, the previous default track loses that state. */
export async function updateTrack(
  tx: Transaction,
  track: { id: string; score_id: string },
  settings: TrackSettings,
): Promise<void> {
  if (settings.is_default) await endDefault(tx, track.score_id)
  await tx.updateTable('score_tracks').set(settings).where('id', '=', track.id).execute()
}

async function endDefault(tx: Transaction, score: string): Promise<void> {
  await tx
    .updateTable('score_tracks')
    .set({ is_default: 0 })
    .where('score_id', '=', score)
    .where('is_default', '=', sql.lit(1 as const))
    .execute()
}

export async function deleteTrack(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('score_tracks').where('id', '=', id).execute()
}

/** Deletes all tracks of a user. */
export async function deleteTracksOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('score_tracks').where('creator_id', '=', user).execute()
}

const performances = compiled(
  (db, p: Params<{ scores: readonly string[]; creators: readonly string[]; since: number }>) =>
    db
      .selectFrom('score_tracks')
      .where(p.isIn('score_id', 'scores'))
      .where(p.isIn('creator_id', 'creators'))
      .where('created_at', '>=', p('since'))
      .where('purpose', '=', 'performanceSubmission')
      .where('state', '<>', 'deleted')
      .select(['id', 'score_id', 'creator_id'])
      .orderBy('id'),
)

/** Lists the performances of these users on these scores since a time, oldest first. */
export async function listPerformances(
  queries: Queries,
  by: { scores: readonly string[]; creators: readonly string[]; since: number },
): Promise<Pick<ScoreTracksTable, 'id' | 'score_id' | 'creator_id'>[]> {
  return performances(queries, by)
}
