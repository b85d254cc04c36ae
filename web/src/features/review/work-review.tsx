import { Suspense, useEffect, useRef, useState } from 'react'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import type {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
} from '../../../../src/contract/submissions.ts'
import { useTexts } from '../../app/texts.ts'
import { answersFrom } from '../../teaching/answers.ts'
import { ExerciseAnswers } from '../../teaching/exercise-answers.tsx'
import { type Choices, chosenByLevel } from '../../teaching/rubric.ts'
import { SubmissionComments } from '../../teaching/submission-comments.tsx'
import { WorkBadge } from '../../teaching/work-badge.tsx'
import { Button } from '../../ui/buttons.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { gradeOf, type ReviewRow } from './rows.ts'
import { ExcuseButton } from './excuse-button.tsx'
import { LateHint } from './late-hint.tsx'
import { RubricChoices } from './rubric-choices.tsx'
import { sourcesOf } from './sources.ts'

const CommentBank = loadedWhenIdle(() => import('./comment-bank.tsx'))
const ScoreView = loadedWhenIdle(() => import('../../score/score-view.tsx'))
const SubmittedScore = loadedWhenIdle(() => import('../../score/submitted-score.tsx'))

interface Props {
  schoolClass: ClassDetails
  assignment: ClassAssignment
  row: ReviewRow
  /** Where the work is in the list, such as `3 of 25`. */
  place: string
  /** The most points. Undefined if the assignment is not graded. */
  maximum: number | undefined
  /** Undefined until it is known. */
  mayReadScores: boolean | undefined
  error: string | undefined
  /** Levels that were chosen and not saved yet, by the id of the submission. */
  unsaved: Map<string, Choices>
  onChange(body: AssignmentSubmissionUpdate): void
  onNext?(): void
  onPrevious?(): void
}

/** One work: what was handed in, the grade, and the messages. Enter in the grade leads to the next work. */
export function WorkReview(props: Props) {
  const { schoolClass, assignment, row, place, error, onChange, onNext, onPrevious } = props
  const { text } = useTexts()
  const { submission, state, name } = row
  const isReadOnly = schoolClass.state === 'archived'
  const heading = useRef<HTMLHeadingElement>(null)
  const criteria = chosenByLevel(assignment)
  const hasGrade =
    criteria === undefined && submission !== undefined && props.maximum !== undefined && !isReadOnly
  useEffect(() => {
    if (!hasGrade) heading.current?.focus()
  }, [hasGrade])
  const canReturn = submission !== undefined && !isReadOnly
  useShortcuts(canReturn ? [{ key: 'r', text: 'review.return', run: () => onChange({ return: true }) }] : [])
  return (
    <div className="desk-work">
      <div className="desk-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {name} <span className="desk-place">{place}</span>
          </h2>
          <p className="desk-state">
            <WorkBadge state={state} />
            {submission?.submissionDate && <Moment of={submission.submissionDate} />}
            {row.isLate && <strong className="desk-late">{text('review.late')}</strong>}
            <ExcuseButton schoolClass={schoolClass} assignment={assignment} row={row} />
          </p>
        </div>
        <div className="desk-moves">
          <Button isSecondary isDisabled={!onPrevious} onPress={() => onPrevious?.()}>
            {text('review.previous')}
          </Button>
          <Button isSecondary isDisabled={!onNext} onPress={() => onNext?.()}>
            {text('review.next')}
          </Button>
        </div>
      </div>
      <Notice isError>{error}</Notice>
      {submission === undefined ? (
        <p>{text('review.notStarted')}</p>
      ) : (
        <>
          {!isReadOnly && (
            <div className="desk-grade">
              {criteria && (
                <RubricChoices
                  name={name}
                  criteria={criteria}
                  submission={submission}
                  unsaved={props.unsaved}
                  onChange={onChange}
                />
              )}
              {!criteria && props.maximum !== undefined && (
                <GradeField
                  name={name}
                  submission={submission}
                  maximum={props.maximum}
                  onGrade={(draftGrade) => onChange({ draftGrade })}
                  onDone={() => onNext?.()}
                />
              )}
              <LateHint assignment={assignment} submission={submission} />
              <Button onPress={() => onChange({ return: true })}>{text('review.return')}</Button>
            </div>
          )}
          <Work
            assignment={assignment}
            submission={submission}
            student={name}
            mayReadScores={props.mayReadScores}
          />
          <SubmissionComments
            schoolClass={schoolClass}
            submission={submission}
            isReadOnly={isReadOnly}
            tools={(field) => (
              <Suspense>
                <CommentBank {...field} />
              </Suspense>
            )}
          />
        </>
      )}
    </div>
  )
}

interface GradeProps {
  name: string
  submission: AssignmentSubmission
  maximum: number
  onGrade(grade: number | null): void
  onDone(): void
}

/** The grade as a draft: the student sees it when the work is returned. It has the focus, so that a teacher types it at once. */
function GradeField({ name, submission, maximum, onGrade, onDone }: GradeProps) {
  const { text } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const saved = gradeOf(submission)
  const [value, setValue] = useState(saved === undefined ? '' : String(saved))
  const [isInvalid, setInvalid] = useState(false)
  useEffect(() => {
    // On a phone, the focus would cover half of the work with a keyboard.
    if (matchMedia('(pointer: coarse)').matches) return
    field.current?.focus()
    field.current?.select()
  }, [])

  /** Returns whether the field has a grade, or none. */
  function save(): boolean {
    const grade = value.trim() === '' ? null : Number(value.replace(',', '.'))
    const isValid = grade === null || (grade >= 0 && grade <= maximum)
    setInvalid(!isValid)
    if (isValid && grade !== (saved ?? null)) onGrade(grade)
    return isValid
  }
  return (
    <div className="grade-field">
      <label htmlFor="grade">{text('review.grade', { name, of: maximum })}</label>
      <input
        id="grade"
        ref={field}
        value={value}
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={isInvalid}
        aria-describedby="grade-state"
        onChange={({ target }) => setValue(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (save()) onDone()
        }}
      />
      <p id="grade-state" role="status" className={isInvalid ? 'field-error' : 'hint'}>
        {isInvalid
          ? text('review.badGrade', { of: maximum })
          : typeof submission.draftGrade === 'number'
            ? text('review.isDraft')
            : typeof submission.grade === 'number'
              ? text('review.isGiven')
              : ''}
      </p>
    </div>
  )
}

interface WorkProps extends Pick<Props, 'mayReadScores'> {
  assignment: ClassAssignment
  submission: AssignmentSubmission
  student: string
}

function Work({ assignment, submission, student, mayReadScores }: WorkProps) {
  const { text } = useTexts()
  const scores = sourcesOf(submission)
  const links = submission.attachments.filter(({ url }) => url !== undefined)
  return (
    <>
      {assignment.exercises && (
        <ExerciseAnswers exercises={assignment.exercises} answers={answersFrom(submission.answers)} />
      )}
      {links.length > 0 && (
        <ul>
          {links.map(({ url = '', title }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {title || url}
              </a>
            </li>
          ))}
        </ul>
      )}
      {scores.length > 0 && mayReadScores === false && <p>{text('review.notTeacher')}</p>}
      {mayReadScores &&
        scores.map(({ score, revision, title, track }) => (
          <section key={track ?? score} aria-label={title}>
            <h3>{title}</h3>
            {track === undefined ? (
              <ScoreView source={{ score, revision, sharingKey: undefined }} title={title} artist={student} />
            ) : (
              <SubmittedScore
                source={{ score, revision, sharingKey: undefined }}
                title={title}
                artist={student}
                track={track}
              />
            )}
          </section>
        ))}
    </>
  )
}
