import './student-work.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import type {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
} from '../../../../src/contract/submissions.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { type Answers, answersFrom, answersOf } from '../../teaching/answers.ts'
import { ExerciseAnswers } from '../../teaching/exercise-answers.tsx'
import { assignmentQuery } from '../../teaching/queries.ts'
import { RubricTable } from '../../teaching/rubric-table.tsx'
import { SubmissionComments } from '../../teaching/submission-comments.tsx'
import { WorkBadge } from '../../teaching/work-badge.tsx'
import { workStateOf } from '../../teaching/work-state.ts'
import { Button } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { isClosed, LateRule } from './late-rule.tsx'
import { OwnAttachments } from './own-attachments.tsx'
import { Task } from '../../teaching/task.tsx'
import { WorkScore } from './work-score.tsx'

const ReadAloud = lazy(() => import('./read-aloud.tsx'))
/** Simple pages read the instructions aloud, if the browser can speak. */
const isReadAloud = 'simple' in document.documentElement.dataset && 'speechSynthesis' in globalThis

interface Props {
  schoolClass: ClassDetails
  assignment: ClassAssignment
  /** A teacher sees what students see. Nothing can be handed in. */
  isPreview?: boolean
}

/** The place where a student works: the task, the score or the exercises, and the button to hand in. */
export function StudentWork({ schoolClass, assignment, isPreview = false }: Props) {
  const submission = assignment.submissions[0]
  const isOpen = assignment.state === 'active' && schoolClass.state === 'active'
  // Students receive only their own id.
  const isExcused = !isPreview && assignment.excusedStudents !== undefined
  const state = workStateOf({ ...assignment, submission, isExcused }, Date.now())
  const { text } = useTexts()
  const isBack = submission?.state === 'graded' || submission?.state === 'returned'
  const isOver = !isBack && isClosed(assignment, Date.now())
  const scores = shownScores(assignment, submission)
  const elsewhere = assignment.attachments.filter(({ score }) => !scores.some((one) => one.score === score))
  const submit = useSubmit(schoolClass, assignment)
  const [answers, setAnswers] = useState<Answers>(() => answersFrom(submission?.answers))
  const isChangeable = isOpen && submission?.state !== 'turnedIn'
  const { type, exercises } = assignment
  return (
    <div className="work-parts" data-score={scores.length > 0 || undefined}>
      <div className="work-task">
        <div className="work-status">
          <WorkBadge state={state} />
          <Result submission={submission} />
          <MessagesLink submission={submission} />
        </div>
        <Task assignment={assignment} attachments={elsewhere} />
        {isReadAloud && assignment.description && (
          <Suspense>
            <ReadAloud>{assignment.description}</ReadAloud>
          </Suspense>
        )}
        {assignment.rubric && (
          <RubricTable criteria={assignment.rubric.criteria} grades={submission?.rubric} />
        )}
        {exercises && (
          <ExerciseAnswers
            exercises={exercises}
            answers={answers}
            {...(isChangeable && { onChange: setAnswers })}
          />
        )}
        {submission && type !== 'worksheet' && (
          <OwnAttachments
            submission={submission}
            {...(isChangeable && {
              onChange: (attachments) => submit.send({ body: { attachments }, action: 'save' }),
            })}
          />
        )}
        {isOpen && type !== 'none' && <LateRule of={assignment} />}
        {isOpen && isOver && <p>{text('work.late.closed')}</p>}
      </div>
      {isOpen && !isPreview && type !== 'none' && !isOver && (
        <WorkActions
          assignment={assignment}
          submission={submission}
          isPending={submit.isPending}
          error={submit.error}
          onStart={() => submit.send({ body: {}, action: 'start' })}
          onSave={exercises && (() => submit.send({ body: { answers: answersOf(answers) }, action: 'save' }))}
          onHandIn={() =>
            submit.send({
              body: { submit: true, ...(exercises && { answers: answersOf(answers) }) },
              action: 'handIn',
            })
          }
          onTakeBack={() => submit.send({ body: { submit: false }, action: 'takeBack' })}
        />
      )}
      {scores.length > 0 && (
        <div className="work-scores">
          {scores.map((score) => (
            <WorkScore
              key={score.score}
              {...score}
              isWritable={isChangeable && score.isWritable && !isPreview}
              isRecorded={isChangeable && score.isPlayed && !isPreview}
            />
          ))}
        </div>
      )}
      {submission && (
        <SubmissionComments
          schoolClass={schoolClass}
          submission={submission}
          isReadOnly={schoolClass.state === 'archived'}
        />
      )}
    </div>
  )
}

/** Leads to the messages, which are below the score on a phone. */
function MessagesLink({ submission }: { submission: AssignmentSubmission | undefined }) {
  const { text } = useTexts()
  const { total = 0 } = submission?.comments ?? {}
  if (total === 0) return null
  return <a href="#comments">{text('work.messages', { number: total })}</a>
}

interface ShownScore {
  readonly score: string
  readonly title: string
  /** Whether the student works in this score. */
  readonly isWritable: boolean
  /** Whether the student hands in a recording of it. */
  readonly isPlayed: boolean
}

/** The scores that are shown on the page: the own copies, or those to play and to write in together. */
function shownScores(
  { attachments }: ClassAssignment,
  submission: AssignmentSubmission | undefined,
): ShownScore[] {
  const copies = submission?.attachments.filter(({ dedicated }) => dedicated) ?? []
  const shared = attachments.filter(
    ({ sharingMode, score }) =>
      score !== undefined && (sharingMode === 'performance' || sharingMode === 'write'),
  )
  const unique = new Map(
    [...copies, ...shared].flatMap(({ score, title = '', sharingMode, dedicated }) =>
      score === undefined
        ? []
        : [
            [
              score,
              {
                score,
                title,
                isWritable: dedicated === true || sharingMode === 'write',
                isPlayed: sharingMode === 'performance',
              },
            ] as const,
          ],
    ),
  )
  return [...unique.values()]
}

function Result({ submission }: { submission: AssignmentSubmission | undefined }) {
  const { text, language } = useTexts()
  const { grade, maxPoints } = submission ?? {}
  if (grade === undefined || grade === null) return null
  return (
    <strong className="work-result">
      {maxPoints === undefined
        ? new Intl.NumberFormat(language).format(grade)
        : text('work.points', { points: grade, of: maxPoints })}
    </strong>
  )
}

type Action = 'start' | 'save' | 'handIn' | 'takeBack'
interface Change {
  readonly body: AssignmentSubmissionUpdate
  readonly action: Action
}

/** Sends what the student does. The last message can take handing in back. */
function useSubmit(schoolClass: ClassDetails, assignment: ClassAssignment) {
  const texts = useTexts()
  const { text } = texts
  const toast = useToast()
  const queries = useQueryClient()
  const { id } = assignment
  const { queryKey } = assignmentQuery(schoolClass.id, id)
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ body }: Change) =>
      call('createSubmission', { params: { class: schoolClass.id, assignment: id }, body }),
    async onSuccess(saved, { action }) {
      queries.setQueryData<ClassAssignment>(queryKey, (shown) => shown && { ...shown, submissions: [saved] })
      if (action !== 'start')
        toast({
          message: text(`work.student.${action}`, { title: assignment.title }),
          ...(action === 'handIn' && { undo: () => mutate({ body: { submit: false }, action: 'takeBack' }) }),
        })
      await queries.invalidateQueries({ queryKey: ['classes', schoolClass.id, 'assignments'], exact: true })
      await queries.invalidateQueries({ queryKey: ['home'] })
    },
  })
  return { send: mutate, isPending, error: error ? errorText(texts, error) : undefined }
}

interface ActionsProps {
  assignment: ClassAssignment
  submission: AssignmentSubmission | undefined
  isPending: boolean
  error: string | undefined
  onStart(): void
  /** Undefined if there is nothing to save before handing in. */
  onSave: (() => void) | undefined
  onHandIn(): void
  onTakeBack(): void
}

/** The button that comes next is always at the same place: start, hand in, or take back. */
function WorkActions(props: ActionsProps) {
  const { assignment, submission, isPending, error, onStart, onSave, onHandIn, onTakeBack } = props
  const { text } = useTexts()
  const startsWithScore = ['newScore', 'scoreTemplate', 'sharedWriting'].includes(assignment.type)
  const isTurnedIn = submission?.state === 'turnedIn'
  return (
    <div className="work-actions">
      <Notice isError>{error}</Notice>
      <div className="buttons">
        {isTurnedIn ? (
          <Button isSecondary isPending={isPending} onPress={onTakeBack}>
            {text('work.takeBack')}
          </Button>
        ) : submission === undefined && startsWithScore ? (
          <Button isPending={isPending} onPress={onStart}>
            {text('work.start')}
          </Button>
        ) : (
          <>
            <Button isPending={isPending} onPress={onHandIn}>
              {text(
                submission === undefined || submission.state === 'created'
                  ? 'work.handIn'
                  : 'work.handInAgain',
              )}
            </Button>
            {onSave && (
              <Button isSecondary isPending={isPending} onPress={onSave}>
                {text('work.saveAnswers')}
              </Button>
            )}
          </>
        )}
      </div>
      {isTurnedIn && <p className="hint">{text('work.isTurnedIn')}</p>}
    </div>
  )
}
