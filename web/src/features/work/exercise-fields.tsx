import type { Exercise } from '../../../../src/contract/exercises.ts'
import { Suspense } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Staff } from '../../teaching/exercise-answers.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import {
  draftClefs,
  type ExerciseDraft,
  faultOf,
  freeId,
  newChoice,
  newDraft,
  notesOf,
} from './exercise-drafts.ts'

interface Props {
  exercises: readonly ExerciseDraft[]
  onChange(exercises: readonly ExerciseDraft[]): void
  /** Whether what is missing is shown: after the first try to save. */
  showsFaults: boolean
}

const types = ['multipleChoice', 'noteNaming', 'rhythm'] as const satisfies readonly Exercise['type'][]

/** The exercises of a worksheet. */
export function ExerciseFields({ exercises, onChange, showsFaults }: Props) {
  const { text } = useTexts()
  const add = (type: Exercise['type']) =>
    onChange([
      ...exercises,
      newDraft(
        type,
        exercises.map(({ id }) => id),
      ),
    ])
  return (
    <section aria-labelledby="exercises">
      <h2 id="exercises">{text('work.exercises')}</h2>
      {exercises.map((exercise, index) => (
        <ExerciseField
          key={exercise.id}
          number={index + 1}
          exercise={exercise}
          showsFault={showsFaults}
          onChange={(changed) => onChange(exercises.with(index, changed))}
          onRemove={() => onChange(exercises.toSpliced(index, 1))}
        />
      ))}
      {showsFaults && exercises.length === 0 && (
        <p role="alert" className="field-error">
          {text('work.noExercises')}
        </p>
      )}
      <div className="buttons">
        {types.map((type) => (
          <Button key={type} isSecondary onPress={() => add(type)}>
            {text(`work.addExercise.${type}`)}
          </Button>
        ))}
      </div>
    </section>
  )
}

interface FieldProps {
  number: number
  exercise: ExerciseDraft
  showsFault: boolean
  onChange(exercise: ExerciseDraft): void
  onRemove(): void
}

function ExerciseField({ number, exercise, showsFault, onChange, onRemove }: FieldProps) {
  const { text } = useTexts()
  const { type, prompt, points, series } = exercise
  const fault = showsFault ? faultOf(exercise) : undefined
  return (
    <fieldset>
      <legend>{text('work.exerciseNumber', { number })}</legend>
      <Field
        label={text('work.prompt')}
        {...(type === 'rhythm' && { hint: text('work.rhythmPromptHint') })}
        value={prompt}
        maxLength={1000}
        autoComplete="off"
        onChange={(value) => onChange({ ...exercise, prompt: value })}
      />
      {type === 'multipleChoice' ? (
        <ChoiceFields exercise={exercise} onChange={onChange} />
      ) : (
        <Field
          label={text(type === 'noteNaming' ? 'work.notes' : 'work.rhythm')}
          hint={text(type === 'noteNaming' ? 'work.notesHint' : 'work.rhythmHint')}
          value={series}
          maxLength={1000}
          autoComplete="off"
          spellCheck="false"
          onChange={(value) => onChange({ ...exercise, series: value })}
        />
      )}
      {type === 'noteNaming' && <ClefField exercise={exercise} onChange={onChange} />}
      <Field
        label={text('work.exercisePoints')}
        type="number"
        min={0}
        max={10_000}
        value={String(points)}
        onChange={(value) => onChange({ ...exercise, points: Number(value) })}
      />
      {fault && (
        <p role="alert" className="field-error">
          {text(`work.fault.${fault}`)}
        </p>
      )}
      <Button isSecondary aria-label={text('work.removeExercise', { number })} onPress={onRemove}>
        {text('classes.remove')}
      </Button>
    </fieldset>
  )
}

/** The clef, with the staff as students see it. */
function ClefField({ exercise, onChange }: Pick<FieldProps, 'exercise' | 'onChange'>) {
  const { text } = useTexts()
  const { clef } = exercise
  return (
    <>
      <Select
        name="clef"
        label={text('work.clef')}
        defaultValue={clef}
        onChoose={(chosen) =>
          onChange({ ...exercise, clef: draftClefs.find((one) => one === chosen) ?? 'auto' })
        }
      >
        {draftClefs.map((one) => (
          <option key={one} value={one}>
            {text(one === 'auto' ? 'work.clefThatFits' : `staff.clef.${one}`)}
          </option>
        ))}
      </Select>
      <Suspense>
        <Staff notes={notesOf(exercise)} clef={clef === 'auto' ? undefined : clef} />
      </Suspense>
    </>
  )
}

function ChoiceFields({ exercise, onChange }: Pick<FieldProps, 'exercise' | 'onChange'>) {
  const { text } = useTexts()
  const { choices } = exercise
  const change = (index: number, changed: Partial<(typeof choices)[number]>) =>
    onChange({
      ...exercise,
      choices: choices.map((one, at) => (at === index ? { ...one, ...changed } : one)),
    })
  return (
    <>
      {choices.map((choice, index) => (
        <div className="choice-field" key={choice.id}>
          <Field
            label={text('work.choiceNumber', { number: index + 1 })}
            value={choice.text}
            maxLength={1000}
            autoComplete="off"
            onChange={(value) => change(index, { text: value })}
          />
          <label className="choice-correct">
            <input
              type="checkbox"
              checked={choice.isCorrect}
              onChange={({ target }) => change(index, { isCorrect: target.checked })}
            />
            {text('work.correct')}
          </label>
        </div>
      ))}
      <Button
        isSecondary
        onPress={() =>
          onChange({ ...exercise, choices: [...choices, newChoice(freeId(choices.map(({ id }) => id)))] })
        }
      >
        {text('work.addChoice')}
      </Button>
    </>
  )
}
