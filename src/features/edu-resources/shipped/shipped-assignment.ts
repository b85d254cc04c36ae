import { createHash } from 'node:crypto'
import type { AssignmentType } from '../../../contract/assignments.ts'
import type { MediaScoreSharingMode } from '../../../contract/attachments.ts'
import type { Grade, TeachingTheme } from '../../../contract/edu-resources.ts'
import type { Shorthand } from '../../../music/shorthand.ts'

/** An assignment that comes with Partita, as it is written down. Paragraphs of its texts are separated by empty lines. */
export interface ShippedAssignment {
  /** Never changed: its ids are made of it. */
  key: string
  title: string
  type: AssignmentType
  subjects: readonly TeachingTheme[]
  grades: readonly Grade[]
  /** What it is for, as its library says it. */
  about: string
  /** What students do. */
  task: string
  /** What the teacher should know. */
  teaching: string
  maxPoints?: number
  recording?: 'audio' | 'video'
  /** What students may use while they play, where the task speaks of it. */
  allows?: readonly ('metronome' | 'speedChange' | 'backingTrack')[]
  scores?: readonly ShippedScore[]
}

export interface ShippedScore {
  /** Never changed, and of no other score of the assignment: its id is made of it. */
  key: string
  /** What students do with it; `teacherOnly` is not shown to them. */
  use: MediaScoreSharingMode | 'teacherOnly'
  score: Shorthand
}

/** The same everywhere and always, so that what ships is known again. */
export const shippedId = (kind: 'resource' | 'assignment' | 'score', key: string): string =>
  createHash('sha256').update(`${kind}:${key}`).digest('hex').slice(0, 24)

/** Who has written what is not said to be of somebody else. */
export const ours = 'Partita'
