import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { AssignmentSubmission } from '../../../../src/contract/submissions.ts'
import { useTexts } from '../../app/texts.ts'
import { daysLate, percentOff } from './days-late.ts'
import { gradeOf } from './rows.ts'

interface Props {
  assignment: ClassAssignment
  submission: AssignmentSubmission
}

/** What the policy of the assignment takes off work that was handed in late. The teacher decides: the grade stays as it is given. */
export function LateHint({ assignment: { dueDate, latePolicy }, submission }: Props) {
  const { text, language } = useTexts()
  if (dueDate === undefined || latePolicy === undefined || submission.submissionDate === undefined)
    return null
  const [due, handedIn] = [Date.parse(dueDate), Date.parse(submission.submissionDate)]
  const percent = percentOff(latePolicy, due, handedIn)
  if (percent === 0) return null
  const grade = gradeOf(submission)
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  return (
    <p className="hint">
      {text('review.late.off', { days: daysLate(due, handedIn), percent })}{' '}
      {grade !== undefined &&
        text('review.late.grade', {
          points: format.format(grade),
          rest: format.format((grade * (100 - percent)) / 100),
        })}
    </p>
  )
}
