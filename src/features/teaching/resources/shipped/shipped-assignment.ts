import { createHash } from 'node:crypto'
import type { AssignmentType } from '../../../../contract/assignments.ts'
import type { MediaScoreSharingMode } from '../../../../contract/attachments.ts'
import type { Grade, TeachingTheme } from '../../../../contract/edu-resources.ts'

/** An assignment that comes with Partita, as its folder in `content/lessons/` describes it. */
export interface ShippedAssignment {
  /** The name of its folder. It never changes, because the ids are derived from it. */
  key: string
  title: string
  type: AssignmentType
  subjects: readonly TeachingTheme[]
  grades: readonly Grade[]
  /** The purpose of the assignment, for the list of the library. */
  about: string
  /** Paragraphs: what students do. */
  task: readonly string[]
  /** Paragraphs: what the teacher should know. */
  teaching: readonly string[]
  maxPoints?: number
  recording?: 'audio' | 'video'
  /** Aids that students may use while they play, if the task mentions them. */
  allows?: readonly ('metronome' | 'speedChange' | 'backingTrack')[]
  scores: readonly ShippedScore[]
}

export interface ShippedScore {
  /** The name of its file without `.musicxml`. It never changes, because the id is derived from it. */
  key: string
  /** The use of the score by students. A `teacherOnly` score is not shown to them. */
  use: MediaScoreSharingMode | 'teacherOnly'
  musicXml: Uint8Array
}

/** The same id on every installation, so that a later edition finds what an earlier one has stored. */
export const shippedId = (kind: 'resource' | 'assignment' | 'score', key: string): string =>
  createHash('sha256').update(`${kind}:${key}`).digest('hex').slice(0, 24)
