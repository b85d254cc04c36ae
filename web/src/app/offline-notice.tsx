import './offline-notice.css'
import { useSyncExternalStore } from 'react'
import { useTexts } from './texts.ts'

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Says that the browser has no network, while it has none. */
export function OfflineNotice() {
  const { text } = useTexts()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className="offline">
      {!isOnline && <p>{text('app.offline')}</p>}
    </div>
  )
}
