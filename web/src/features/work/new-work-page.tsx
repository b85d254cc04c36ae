import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { WorkForm } from './work-form.tsx'
import { WorkFrame } from './work-frame.tsx'

/** A new assignment for a class. */
export function NewWorkPage({ class: id }: AddressParameters<'/classes/{class}/work/new'>) {
  const { text } = useTexts()
  return (
    <WorkFrame of={id} title={text('work.new')} isForTeachers>
      {(schoolClass) => <WorkForm schoolClass={schoolClass} assignment={undefined} />}
    </WorkFrame>
  )
}
