import { Suspense } from 'react'
import type { AddressParameters } from '../../../../../src/contract/app-pages.ts'
import { loadedWhenIdle } from '../../../ui/loaded-when-idle.ts'

const LoadedPage = loadedWhenIdle(() => import('./edit-page.tsx'))

/** The editor is no part of what readers of a score load first. */
export const EditPage = (props: AddressParameters<'/scores/{score}/edit'>) => (
  <Suspense>
    <LoadedPage {...props} />
  </Suspense>
)
