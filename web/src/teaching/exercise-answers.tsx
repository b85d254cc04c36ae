import './exercise-answers.css'
import { lazy, Suspense } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import type { Exercise } from '../../../src/contract/exercises.ts'
import { useTexts } from '../app/texts.ts'
import type { Answers } from './answers.ts'
import { CheckboxChoice, Field } from '../ui/fields.tsx'

/** Only worksheets with notes load it. */
export const Staff = lazy(() => import('./staff/staff.tsx'))

interface Props {
  exercises: readonly Exercise[]
  answers: Answers
  /** Undefined if the answers are only shown. */
  onChange?(answers: Answers): void
}

/** The exercises of a worksheet with their answers. */
export function ExerciseAnswers({ exercises, answers, onChange }: Props) {
  return (
    <ol className="exercises">
      {exercises.map((exercise) => (
        <li key={exercise.id}>
          <ExerciseField
            exercise={exercise}
            answer={answers[exercise.id] ?? []}
            {...(onChange && { onChange: (answer) => onChange({ ...answers, [exercise.id]: answer }) })}
          />
        </li>
      ))}
    </ol>
  )
}

/** The exercises as students get them. */
export const ExercisePreview = ({ exercises }: Pick<Props, 'exercises'>) => (
  <ExerciseAnswers exercises={exercises} answers={{}} />
)

interface FieldProps {
  exercise: Exercise
  answer: readonly string[]
  onChange?(answer: readonly string[]): void
}

function ExerciseField({ exercise, answer, onChange }: FieldProps) {
  const { text } = useTexts()
  const { id, type, prompt, choices = [], notes = [], clef } = exercise
  const isReadOnly = onChange === undefined
  const label = prompt ?? text(`work.exercise.${type}`)
  if (type === 'multipleChoice') {
    return (
      <CheckboxGroup
        className="choices"
        value={[...answer]}
        isDisabled={isReadOnly}
        onChange={(chosen) => onChange?.(chosen)}
      >
        <Label>{label}</Label>
        {choices.map((choice) => (
          <CheckboxChoice key={choice.id} value={choice.id}>
            {choice.text}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
    )
  }
  return (
    <Field
      label={label}
      hint={text(type === 'noteNaming' ? 'work.answerNotes' : 'work.answerRhythm')}
      figure={
        type === 'noteNaming' && (
          <Suspense>
            <Staff notes={notes} clef={clef} />
          </Suspense>
        )
      }
      // The field keeps what is typed, also spaces at the end.
      defaultValue={answer.join(' ')}
      key={id}
      isDisabled={isReadOnly}
      autoComplete="off"
      spellCheck="false"
      maxLength={1000}
      onChange={(value) => onChange?.(value.split(/[\s,;]+/).filter((part) => part !== ''))}
    />
  )
}
