import { Suspense } from 'react'
import type { AddressParameters } from '../../../../../src/contract/app-pages.ts'
import { loadedWhenIdle } from '../../../ui/loaded-when-idle.ts'

const LoadedPage = loadedWhenIdle(() => import('./sync-page.tsx'))

/** Few readers of a score synchronize it, so the page is no part of what they load first. */
export const SyncPage = (props: AddressParameters<'/scores/{score}/sync'>) => (
  <Suspense>
    <LoadedPage {...props} />
  </Suspense>
)
