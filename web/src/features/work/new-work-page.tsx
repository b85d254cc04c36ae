import { useState } from 'react'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'

import { WorkForm } from './lazy-work-form.tsx'
import { ReuseDialog } from './reuse-dialog.tsx'
import { WorkFrame } from './work-frame.tsx'

/** A new assignment for a class, or a copy of one that exists. */
export default function NewWorkPage({ class: id }: AddressParameters<'/classes/{class}/work/new'>) {
  const { text } = useTexts()
  const [isReusing, setReusing] = useState(false)
  return (
    <WorkFrame of={id} title={text('work.new')} isForTeachers>
      {(schoolClass) => (
        <>
          <Button isSecondary onPress={() => setReusing(true)}>
            {text('work.reuse')}
          </Button>
          {isReusing && <ReuseDialog of={id} onClose={() => setReusing(false)} />}
          <WorkForm schoolClass={schoolClass} assignment={undefined} />
        </>
      )}
    </WorkFrame>
  )
}
