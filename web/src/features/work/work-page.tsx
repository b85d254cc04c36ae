import { useQuery } from '@tanstack/react-query'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { assignmentQuery, managesClass } from '../../teaching/queries.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { StudentWork } from './student-work.tsx'
import { TeacherWork } from './teacher-work.tsx'
import { WorkFrame } from './work-frame.tsx'

/** One assignment: for a student the place to work, for a teacher what the class got. */
export function WorkPage({
  class: of,
  assignment: id,
}: AddressParameters<'/classes/{class}/work/{assignment}'>) {
  const { text } = useTexts()
  const assignment = useQuery(assignmentQuery(of, id))
  const isMissing = assignment.error instanceof Refusal && assignment.error.code === 'ASSIGNMENT_NOT_FOUND'
  const title = isMissing ? text('work.missing') : (assignment.data?.title ?? text('work.one'))
  return (
    <WorkFrame of={of} title={title} className="work-page">
      {(schoolClass) =>
        isMissing ? (
          <p>{text('work.missingWhy')}</p>
        ) : (
          <QueryContent query={assignment}>
            {(loaded) =>
              managesClass(schoolClass) ? (
                <TeacherWork schoolClass={schoolClass} assignment={loaded} />
              ) : (
                <StudentWork schoolClass={schoolClass} assignment={loaded} />
              )
            }
          </QueryContent>
        )
      }
    </WorkFrame>
  )
}
