import { Suspense } from 'react'
import { loadedWhenIdle } from '../ui/loaded-when-idle.ts'
import { useUploads } from '../ui/uploads.ts'

const UploadPanel = loadedWhenIdle(() => import('../ui/upload-panel.tsx'))

/** The list of uploads, on every page while there are any. */
export function Uploads() {
  const uploads = useUploads()
  return <Suspense>{uploads.length > 0 && <UploadPanel />}</Suspense>
}
