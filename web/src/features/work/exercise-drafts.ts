import type { Exercise } from '../../../../src/contract/exercises.ts'

export const draftClefs = ['auto', 'treble', 'bass', 'alto', 'tenor'] as const
export type DraftClef = (typeof draftClefs)[number]

/** An exercise while a teacher writes it. Notes and durations are text, with spaces between them. */
export interface ExerciseDraft {
  readonly id: string
  readonly type: Exercise['type']
  readonly prompt: string
  readonly points: number
  readonly choices: readonly ChoiceDraft[]
  /** The clef before the notes to name. `auto` is the one that fits. */
  readonly clef: DraftClef
  /** The notes to name, such as `E4 Bb4`, or the durations of a rhythm, such as `1/4 r1/8`. */
  readonly series: string
}

export interface ChoiceDraft {
  readonly id: string
  readonly text: string
  readonly isCorrect: boolean
}

export const newChoice = (id: string): ChoiceDraft => ({ id, text: '', isCorrect: false })

/** @param taken the ids of the other exercises */
export function newDraft(type: Exercise['type'], taken: readonly string[]): ExerciseDraft {
  const choices = type === 'multipleChoice' ? ['1', '2', '3'].map(newChoice) : []
  return { id: freeId(taken), type, prompt: '', points: 1, choices, clef: 'auto', series: '' }
}

/** Returns the lowest number that is no id yet. */
export function freeId(taken: readonly string[]): string {
  let number = 1
  while (taken.includes(String(number))) number++
  return String(number)
}

export function draftOf({
  id,
  type,
  prompt = '',
  points = 1,
  choices = [],
  notes,
  clef,
  solution = [],
}: Exercise): ExerciseDraft {
  return {
    id,
    type,
    prompt,
    points,
    choices: choices.map((choice) => ({ ...choice, isCorrect: solution.includes(choice.id) })),
    clef: clef ?? 'auto',
    series: (type === 'noteNaming' ? (notes ?? []) : type === 'rhythm' ? solution : []).join(' '),
  }
}

const notePattern = /^[A-G](?:#{1,2}|b{1,2})?[0-9]$/
const durationPattern = /^r?[1-9][0-9]*\/[1-9][0-9]*$/

/** What is missing in a draft; undefined if nothing is. */
export type DraftFault = 'question' | 'choices' | 'solution' | 'notes' | 'rhythm' | undefined

export function faultOf(draft: ExerciseDraft): DraftFault {
  const parts = partsOf(draft.series)
  switch (draft.type) {
    case 'multipleChoice':
      if (choicesWithText(draft).length < 2) return 'choices'
      return choicesWithText(draft).some(({ isCorrect }) => isCorrect) ? undefined : 'solution'
    case 'noteNaming':
      return parts.length > 0 && parts.every((note) => notePattern.test(note)) ? undefined : 'notes'
    case 'rhythm':
      if (parts.length === 0 || !parts.every((one) => durationPattern.test(one))) return 'rhythm'
      // Without a question, students would not know which rhythm to write.
      return draft.prompt.trim() === '' ? 'question' : undefined
  }
}

/** @param draft a draft without a fault */
export function exerciseOf(draft: ExerciseDraft): Exercise {
  const { id, type, points } = draft
  const prompt = draft.prompt.trim()
  const common = { id, type, points, ...(prompt !== '' && { prompt }) }
  switch (type) {
    case 'multipleChoice': {
      const choices = choicesWithText(draft)
      const solution = choices.flatMap((choice) => (choice.isCorrect ? [choice.id] : []))
      return { ...common, choices: choices.map(({ id, text }) => ({ id, text: text.trim() })), solution }
    }
    case 'noteNaming':
      return { ...common, notes: notesOf(draft), ...(draft.clef !== 'auto' && { clef: draft.clef }) }
    case 'rhythm':
      return { ...common, solution: partsOf(draft.series) }
  }
}

const choicesWithText = ({ choices }: ExerciseDraft) => choices.filter(({ text }) => text.trim() !== '')

/** Returns the notes to name, in the form of the interface. */
export const notesOf = ({ series }: ExerciseDraft): string[] => partsOf(series)

/** Notes may be written with lower-case letters: `e4`, `bb4`. */
function partsOf(series: string): string[] {
  return series
    .trim()
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^[a-g]/.test(part) ? part.charAt(0).toUpperCase() + part.slice(1) : part))
}
