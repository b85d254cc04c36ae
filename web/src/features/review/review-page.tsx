import './review.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { MissingClass } from '../../teaching/class-frame.tsx'
import { assignmentQuery, classQuery, groupMembersQuery, managesClass } from '../../teaching/queries.ts'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Desk } from './desk.tsx'

/** The desk where a teacher reviews the works of an assignment one after the other. */
export function ReviewPage({
  class: of,
  assignment: id,
}: AddressParameters<'/classes/{class}/work/{assignment}/review'>) {
  const { text } = useTexts()
  const schoolClass = useQuery(classQuery(of))
  const assignment = useQuery(assignmentQuery(of, id))
  const group = schoolClass.data?.studentsGroup?.id
  const students = useQuery({ ...groupMembersQuery(group ?? ''), enabled: group !== undefined })
  if (schoolClass.error instanceof Refusal && schoolClass.error.status === 404) return <MissingClass />
  return (
    <Page title={assignment.data?.title ?? text('review.title')} className="review-page">
      {(heading) => (
        <>
          <p className="back">
            <Link href={pathTo('/classes/{class}/work/{assignment}', { class: of, assignment: id })}>
              {schoolClass.data?.name ?? text('classes.one')}
            </Link>
          </p>
          {heading}
          <QueryContent query={schoolClass}>
            {(loadedClass) =>
              managesClass(loadedClass) ? (
                <QueryContent query={assignment}>
                  {(loaded) => (
                    <QueryContent query={students}>
                      {(people) => <Desk schoolClass={loadedClass} assignment={loaded} students={people} />}
                    </QueryContent>
                  )}
                </QueryContent>
              ) : (
                <p>{text('classes.forTeachers')}</p>
              )
            }
          </QueryContent>
        </>
      )}
    </Page>
  )
}
