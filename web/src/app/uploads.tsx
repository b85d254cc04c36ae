import { Suspense } from 'react'
import { loadedWhenIdle } from '../ui/loaded-when-idle.ts'
import { uploadList } from '../ui/upload-list.ts'

const UploadPanel = loadedWhenIdle(() => import('../ui/upload-panel.tsx'))

/** The list of uploads, on every page while there are any. */
export function Uploads() {
  const uploads = uploadList.use()
  return <Suspense>{uploads.length > 0 && <UploadPanel />}</Suspense>
}
