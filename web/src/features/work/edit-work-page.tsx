import { useQuery } from '@tanstack/react-query'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { assignmentQuery } from '../../teaching/queries.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { WorkForm } from './lazy-work-form.tsx'
import { WorkFrame } from './work-frame.tsx'

/** Changes an assignment. */
export default function EditWorkPage({
  class: of,
  assignment: id,
}: AddressParameters<'/classes/{class}/work/{assignment}/edit'>) {
  const { text } = useTexts()
  const assignment = useQuery(assignmentQuery(of, id))
  return (
    <WorkFrame of={of} title={text('work.edit')} isForTeachers>
      {(schoolClass) => (
        <QueryContent query={assignment}>
          {(loaded) =>
            loaded.capabilities.canEdit ? (
              <WorkForm schoolClass={schoolClass} assignment={loaded} />
            ) : (
              <p>{text('work.readOnly')}</p>
            )
          }
        </QueryContent>
      )}
    </WorkFrame>
  )
}
