import './work-form.css'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { Label } from 'react-aria-components/Label'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type {
  AssignmentType,
  ClassAssignment,
  ClassAssignmentUpdate,
} from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { CheckboxField, Field, RadioChoice } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { useToast } from '../../ui/toasts.tsx'
import { AssigneeFields, assigneesOf } from './assignee-fields.tsx'
import { AttachmentFields } from './attachment-fields.tsx'
import { ExerciseFields } from './exercise-fields.tsx'
import { RubricFields } from './rubric-fields.tsx'
import { type AttachmentDraft, creationsOf, draftsOf, useIn } from './attachments.ts'
import { type ExerciseDraft, draftOf, exerciseOf, faultOf } from './exercise-drafts.ts'
import { type CriterionDraft, criterionDraftOf, criterionFaultOf, rubricUpdateOf } from './rubric-drafts.ts'
import { LateFields, latePolicyOf } from './late-fields.tsx'
import { fromLocalField, timeZone, toLocalField } from './local-time.ts'

/** The types that can be given without an editor, in the order of the form. */
const usualTypes: readonly AssignmentType[] = [
  'none',
  'scoreTemplate',
  'newScore',
  'performance',
  'worksheet',
  'sharedWriting',
]

/** The server knows the rules of the fields. */
const knownErrors: KnownErrors = {
  title: ['title', 'work.badTitle'],
  maxPoints: ['points', 'work.badPoints'],
  scheduledDate: ['scheduled', 'work.badSchedule'],
  weight: ['weight', 'work.badWeight'],
}

interface Props {
  schoolClass: ClassDetails
  /** Undefined for a new assignment. */
  assignment: ClassAssignment | undefined
}

/** Writes an assignment, and gives it to the class or keeps it as a draft. */
export default function WorkForm({ schoolClass, assignment }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const [type, setType] = useState<AssignmentType>(assignment?.type ?? 'none')
  const [attachments, setAttachments] = useState<readonly AttachmentDraft[]>(
    assignment ? draftsOf(assignment) : [],
  )
  const [exercises, setExercises] = useState<readonly ExerciseDraft[]>(
    assignment?.exercises?.map(draftOf) ?? [],
  )
  const [savedCriteria] = useState<readonly CriterionDraft[]>(
    () => assignment?.rubric?.criteria.map(criterionDraftOf) ?? [],
  )
  const [criteria, setCriteria] = useState(savedCriteria)
  const [mode, setMode] = useState(assignment?.assigneeMode ?? 'everyone')
  const [isIncomplete, setIncomplete] = useState(false)
  const whole = useRef<HTMLFormElement>(null)
  const publication = useRef<HTMLInputElement>(null)
  // Questions that are answered in words can have exercises too.
  const hasExercises = type === 'worksheet' || (type === 'worksheetText' && exercises.length > 0)
  const isActive = assignment?.state === 'active'
  const given = assignment?.type ?? 'none'
  // An included lesson or another program may have a type that the form does not offer.
  const types = usualTypes.includes(given) ? usualTypes : [...usualTypes, given]
  const lacksTemplate =
    type === 'scoreTemplate' &&
    !attachments.some((one) => one.kind === 'score' && useIn(type, one.use) === 'copy')
  const lacksExercises =
    hasExercises && (exercises.length === 0 || exercises.some((one) => faultOf(one) !== undefined))
  // A worksheet is graded by its exercises.
  const takesRubric = type !== 'none' && !hasExercises
  const lacksLevels = takesRubric && criteria.some((one) => criterionFaultOf(one) !== undefined)
  const lacksSomething = lacksTemplate || lacksExercises || lacksLevels

  const submission = useSubmission(knownErrors, async (form) => {
    setIncomplete(lacksSomething)
    if (lacksSomething) return
    const publishes = form.get('publish') === 'yes'
    const body: ClassAssignmentUpdate = {
      ...contentOf(form, type, hasExercises),
      attachments: creationsOf(attachments, type),
      ...(hasExercises && { exercises: exercises.map(exerciseOf) }),
      ...(takesRubric && rubricUpdateOf(savedCriteria, criteria)),
      ...assigneesOf(form, mode),
      ...(publishes && { state: 'active' as const }),
    }
    const saved = assignment
      ? await call('updateClassAssignment', {
          params: { class: schoolClass.id, assignment: assignment.id },
          body,
        })
      : await call('createClassAssignment', { params: { class: schoolClass.id }, body })
    await queries.invalidateQueries({ queryKey: ['classes'] })
    goTo(pathTo('/classes/{class}/work/{assignment}', { class: schoolClass.id, assignment: saved.id }))
    const isGiven = publishes || isActive
    toast({ message: text(isGiven ? 'work.given' : 'work.savedDraft', { title: saved.title }) })
  })

  function give() {
    if (!publication.current) return
    publication.current.value = 'yes'
    whole.current?.requestSubmit()
    publication.current.value = ''
  }

  return (
    <Form
      className="work-form"
      onSubmit={submission.onSubmit}
      validationErrors={submission.fieldErrors}
      ref={whole}
    >
      <Field
        name="title"
        label={text('library.titleOf')}
        defaultValue={assignment?.title ?? ''}
        isRequired
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="description"
        label={text('work.instructions')}
        defaultValue={assignment?.description ?? ''}
        isMultiline
        maxLength={100_000}
      />
      {isActive ? (
        // The work that students have begun belongs to the type.
        <p>{text(`work.kind.${type}`)}</p>
      ) : (
        <RadioGroup
          className="choices"
          value={type}
          onChange={(value) => setType(types.find((one) => one === value) ?? 'none')}
        >
          <Label>{text('work.kind')}</Label>
          {types.map((one) => (
            <RadioChoice key={one} value={one}>
              {text(`work.kind.${one}`)}
            </RadioChoice>
          ))}
        </RadioGroup>
      )}
      <AttachmentFields
        type={type}
        attachments={attachments}
        onChange={setAttachments}
        error={isIncomplete && lacksTemplate ? text('work.noTemplate') : undefined}
      />
      {hasExercises && (
        <>
          <ExerciseFields exercises={exercises} onChange={setExercises} showsFaults={isIncomplete} />
          <CheckboxField
            name="releaseGrades"
            label={text('work.autoGrade')}
            hint={text('work.autoGradeHint')}
            defaultSelected={assignment?.releaseGrades === 'auto'}
          />
          <CheckboxField
            name="shuffle"
            label={text('work.shuffle')}
            hint={text('work.shuffleHint')}
            defaultSelected={assignment?.shuffleExercises === true}
          />
        </>
      )}
      {takesRubric && <RubricFields criteria={criteria} onChange={setCriteria} showsFaults={isIncomplete} />}
      {type !== 'none' && !(takesRubric && criteria.length > 0) && (
        <Field
          name="points"
          type="number"
          label={text('work.maxPoints')}
          hint={text('work.maxPointsHint')}
          min={0}
          max={10_000}
          defaultValue={assignment?.maxPoints === undefined ? '' : String(assignment.maxPoints)}
        />
      )}
      {type !== 'none' && (
        <Field
          name="weight"
          type="number"
          label={text('work.weight')}
          hint={text('work.weightHint')}
          min={0}
          max={100}
          step="any"
          defaultValue={String(assignment?.weight ?? 1)}
        />
      )}
      <Field
        name="due"
        type="datetime-local"
        label={text('work.dueDate')}
        hint={text('work.timeZone', { zone: timeZone() })}
        defaultValue={toLocalField(assignment?.dueDate)}
      />
      {type !== 'none' && <LateFields policy={assignment?.latePolicy} />}
      {!isActive && (
        <Field
          name="scheduled"
          type="datetime-local"
          label={text('work.schedule')}
          hint={text('work.scheduleHint')}
          defaultValue={toLocalField(assignment?.scheduledDate)}
        />
      )}
      {schoolClass.studentsGroup && (
        <AssigneeFields
          of={schoolClass.id}
          students={schoolClass.studentsGroup.id}
          assignment={assignment}
          mode={mode}
          onChangeMode={setMode}
        />
      )}
      {!isActive && type !== 'none' && type !== 'sharedWriting' && (
        <CheckboxField
          name="together"
          label={text('work.together')}
          hint={text('work.togetherHint')}
          defaultSelected={assignment?.submissionStudentsMode === 'group'}
        />
      )}
      <input type="hidden" name="publish" ref={publication} />
      <Notice isError>{submission.error ?? (isIncomplete ? text('work.incomplete') : undefined)}</Notice>
      <div className="buttons work-form-buttons">
        {isActive ? (
          <Button type="submit">{text('classes.save')}</Button>
        ) : (
          <>
            <Button onPress={give}>{text('work.give')}</Button>
            {/* The only submit button: Enter in a field must not give unfinished work to the class. */}
            <Button isSecondary type="submit">
              {text('work.saveDraft')}
            </Button>
          </>
        )}
        <ButtonLink
          isSecondary
          href={
            assignment
              ? pathTo('/classes/{class}/work/{assignment}', {
                  class: schoolClass.id,
                  assignment: assignment.id,
                })
              : pathTo('/classes/{class}', { class: schoolClass.id })
          }
        >
          {text('app.cancel')}
        </ButtonLink>
      </div>
    </Form>
  )
}

/** Returns the fields of the content. A field that the form does not show stays as it is. */
function contentOf(form: FormData, type: AssignmentType, hasExercises: boolean): ClassAssignmentUpdate {
  const textOf = (name: string) => String(form.get(name) ?? '').trim()
  const isChecked = (name: string) => form.get(name) !== null
  return {
    title: textOf('title'),
    description: textOf('description'),
    type,
    ...(form.has('points') && { maxPoints: textOf('points') === '' ? null : Number(textOf('points')) }),
    ...(form.has('weight') && { weight: textOf('weight') === '' ? 1 : Number(textOf('weight')) }),
    ...latePolicyOf(form),
    dueDate: fromLocalField(textOf('due')),
    ...(form.has('scheduled') && { scheduledDate: fromLocalField(textOf('scheduled')) }),
    ...(hasExercises && {
      releaseGrades: isChecked('releaseGrades') ? ('auto' as const) : ('manual' as const),
      shuffleExercises: isChecked('shuffle'),
    }),
    ...(form.has('scheduled') && {
      submissionStudentsMode: isChecked('together') ? ('group' as const) : ('single' as const),
    }),
  }
}
