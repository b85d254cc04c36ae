import type { ScoreDetails } from '../../../../src/contract/scores.ts'

/** Scores that the user drags to a collection. The dialog to move them is for the keyboard and for touch. */
export interface DraggedScores {
  readonly scores: readonly ScoreDetails[]
  /** The collection that they leave. Without it, they are only added. */
  readonly from: string | undefined
}

// The browser does not show what is dragged before it is dropped.
let dragged: DraggedScores | undefined

export const startDrag = (what: DraggedScores): void => {
  dragged = what
  addEventListener('dragend', endDrag, { once: true })
}

const endDrag = (): void => {
  dragged = undefined
}

export const draggedScores = (): DraggedScores | undefined => dragged
