import { useEffect, useEffectEvent } from 'react'
import { useToast } from '../ui/toasts.tsx'
import { useViewer } from './queries.ts'
import { useTexts } from './texts.ts'

/** Keeps the app for use without a network, and says when the server has a new version. The user decides when the page is loaded anew. */
export function AppUpdate() {
  const { text } = useTexts()
  const toast = useToast()
  const viewer = useViewer()
  const say = useEffectEvent(() =>
    toast({
      message: text('app.update'),
      action: { name: text('app.reload'), run: () => location.reload() },
      stays: true,
    }),
  )
  const user = viewer?.id
  useEffect(() => {
    if (user === undefined) return
    // No part of the first load. Without a network, or after an update of the server, the file may be gone.
    import('./service-worker.ts').then(
      ({ keepForOffline }) => keepForOffline(user, () => say()),
      () => undefined,
    )
  }, [user])
  return null
}
