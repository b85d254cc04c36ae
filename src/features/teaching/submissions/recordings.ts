import type { Queries } from '../../../platform/db/database.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { listAttachments } from '../assignments/attachments.store.ts'
import { listMembers, listMembersAmong } from '../../people/groups/store.ts'
import { listPerformances, type TrackRow } from '../../library/tracks/store.ts'
import { findLastReset } from './history.store.ts'
import { listSubmissionsByTrack, type SubmissionRow } from './store.ts'

/**
 * Returns the recordings to hand in with a submission: for each score to perform, the newest recording of
 * each student. A recording does not name its assignment. Therefore these recordings are excluded: those made
 * before the assignment was created, those handed in with another submission, and those made before the last
 * reset.
 */
export async function listRecordings(
  queries: Queries,
  { assignment }: LoadedAssignment,
  { id, creator_id, group_id }: Pick<SubmissionRow, 'id' | 'creator_id' | 'group_id'>,
): Promise<{ id: string; score_id: string }[]> {
  const scores = await listScoresToPerform(queries, assignment.id)
  if (scores.length === 0) return []
  const players =
    group_id === null ? [creator_id] : (await listMembers(queries, group_id)).map((member) => member.id)
  const reset = await findLastReset(queries, id)
  const since = Math.max(assignment.created_at, reset === undefined ? 0 : reset + 1)
  const performances = await listPerformances(queries, { scores, creators: players, since })
  const handedIn = await listSubmissionsByTrack(
    queries,
    performances.map((track) => track.id),
  )
  const unattached = performances.filter((track) =>
    (handedIn.get(track.id) ?? []).every(({ submission_id }) => submission_id === id),
  )
  return [...new Map(unattached.map((track) => [`${track.score_id} ${track.creator_id}`, track])).values()]
}

/**
 * Returns the tracks of a score that belong to an assignment: the students' performances, whether they are
 * handed in or not.
 */
export async function filterAssignmentTracks(
  queries: Queries,
  { assignment, schoolClass }: LoadedAssignment,
  score: string,
  tracks: readonly TrackRow[],
): Promise<TrackRow[]> {
  const creators = tracks.map(({ creator_id }) => creator_id)
  const [scores, handedIn, students] = await Promise.all([
    listScoresToPerform(queries, assignment.id),
    listSubmissionsByTrack(
      queries,
      tracks.map(({ id }) => id),
    ),
    listMembersAmong(queries, schoolClass.students_group_id, creators),
  ])
  const isPlayed = scores.includes(score)
  return tracks.filter(({ id, purpose, creator_id, created_at }) => {
    const together = handedIn.get(id)
    if (together) return together.some(({ assignment_id }) => assignment_id === assignment.id)
    const isByStudent = purpose === 'performanceSubmission' && students.has(creator_id)
    return isPlayed && isByStudent && created_at >= assignment.created_at
  })
}

/** Returns the scores that the students are asked to perform. */
async function listScoresToPerform(queries: Queries, assignment: string): Promise<string[]> {
  const attached = (await listAttachments(queries, [assignment])).get(assignment) ?? []
  return attached.flatMap(({ score_id, sharing_mode, teacher_only }) =>
    score_id !== null && sharing_mode === 'performance' && !teacher_only ? score_id : [],
  )
}
