import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Texts, TextKey } from '../../../../src/texts/catalogue.ts'

/** What a command asks before it changes the score. The answers are those of a form. */
export interface Question {
  readonly title: TextKey
  readonly fields: readonly QuestionField[]
  /** The operations of the answers, by the names of the fields. */
  answer(answers: Readonly<Record<string, string>>): readonly Operation[]
}

export interface QuestionField {
  readonly name: string
  readonly label: TextKey
  readonly hint?: TextKey
  /** The text before the user changes it. */
  readonly value?: string
  /** The answers of which the user chooses one. Without them the answer is a text. */
  readonly options?: readonly QuestionOption[]
}

export interface QuestionOption {
  readonly value: string
  name(text: Texts['text']): string
}

/** An option that has a text as its name. */
export const option = (value: string, key: TextKey): QuestionOption => ({ value, name: (text) => text(key) })
