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
  scores?: readonly ShippedScore[]
}

export interface ShippedScore {
  /** What students do with it; `teacherOnly` is not shown to them. */
  use: MediaScoreSharingMode | 'teacherOnly'
  score: Shorthand
}

/** Who has written what is not said to be of somebody else. */
export const ours = 'Partita'
