import { Suspense } from 'react'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'

const LoadedNewWorkPage = loadedWhenIdle(() => import('./new-work-page.tsx'))
const LoadedEditWorkPage = loadedWhenIdle(() => import('./edit-work-page.tsx'))

/** The form of an assignment is for teachers, so students do not load it first. */
export const NewWorkPage = (props: AddressParameters<'/classes/{class}/work/new'>) => (
  <Suspense>
    <LoadedNewWorkPage {...props} />
  </Suspense>
)

export const EditWorkPage = (props: AddressParameters<'/classes/{class}/work/{assignment}/edit'>) => (
  <Suspense>
    <LoadedEditWorkPage {...props} />
  </Suspense>
)
