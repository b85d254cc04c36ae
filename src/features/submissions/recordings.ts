import type { Queries } from '../../db/database.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { listAttachments } from '../assignments/attached.ts'
import { listMembers, listMembersAmong } from '../groups/store.ts'
import { listPerformances, type TrackRow } from '../score-tracks/store.ts'
import { findLastReset } from './history.ts'
import { listHandedIn, type SubmissionRow } from './store.ts'

/**
 * The recordings that go with a submission when it is handed in: of each score that is to be played the newest of each of its
 * students. Nothing says for which assignment somebody plays: not for one that came later, nor for one with which the
 * recording was not handed in when it was with another; and what was there before a reset is done with.
 */
export async function listRecordings(
  queries: Queries,
  { assignment }: LoadedAssignment,
  { id, creator_id, group_id }: Pick<SubmissionRow, 'id' | 'creator_id' | 'group_id'>,
): Promise<{ id: string; score_id: string }[]> {
  const scores = await listPlayed(queries, assignment.id)
  if (scores.length === 0) return []
  const players = group_id === null ? [creator_id] : (await listMembers(queries, group_id)).map((member) => member.id)
  const reset = await findLastReset(queries, id)
  const since = Math.max(assignment.created_at, reset === undefined ? 0 : reset + 1)
  const made = await listPerformances(queries, { scores, creators: players, since })
  const handedIn = await listHandedIn(
    queries,
    made.map((track) => track.id),
  )
  const free = made.filter((track) => (handedIn.get(track.id) ?? []).every(({ submission_id }) => submission_id === id))
  return [...new Map(free.map((track) => [`${track.score_id} ${track.creator_id}`, track])).values()]
}

/** Of the tracks of a score those that belong to an assignment: how its students have played it, handed in or not yet. */
export async function thatBelongTo(
  queries: Queries,
  { assignment, klass }: LoadedAssignment,
  score: string,
  tracks: readonly TrackRow[],
): Promise<TrackRow[]> {
  const creators = tracks.map(({ creator_id }) => creator_id)
  const [scores, handedIn, students] = await Promise.all([
    listPlayed(queries, assignment.id),
    listHandedIn(
      queries,
      tracks.map(({ id }) => id),
    ),
    listMembersAmong(queries, klass.students_group_id, creators),
  ])
  const isPlayed = scores.includes(score)
  return tracks.filter(({ id, purpose, creator_id, created_at }) => {
    const together = handedIn.get(id)
    if (together) return together.some(({ assignment_id }) => assignment_id === assignment.id)
    const isByStudent = purpose === 'performanceSubmission' && students.has(creator_id)
    return isPlayed && isByStudent && created_at >= assignment.created_at
  })
}

/** The scores that the students are to play. */
async function listPlayed(queries: Queries, assignment: string): Promise<string[]> {
  const attached = (await listAttachments(queries, [assignment])).get(assignment) ?? []
  return attached.flatMap(({ score_id, sharing_mode, teacher_only }) =>
    score_id !== null && sharing_mode === 'performance' && !teacher_only ? score_id : [],
  )
}
