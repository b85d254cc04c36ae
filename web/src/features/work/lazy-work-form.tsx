import { type ComponentProps, Suspense } from 'react'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'

const LoadedForm = loadedWhenIdle(() => import('./work-form.tsx'))

/** Students do not need the form, so it is no part of what a page of an assignment loads first. */
export const WorkForm = (props: ComponentProps<typeof LoadedForm>) => (
  <Suspense>
    <LoadedForm {...props} />
  </Suspense>
)
