import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../ui/buttons.tsx'
import { DialogSheet } from '../ui/dialog-sheet.tsx'
import { findSignedInUser } from './client.ts'
import { useViewer } from './queries.ts'
import { askToSignIn, sessionChannel } from './session-end.ts'
import { useTexts } from './texts.ts'

/**
 * The dialog that opens when the session has ended. The user signs in in a window of its own, with all steps that the server asks
 * for, so that nothing that was typed on the page is lost. The requests that were refused are sent again afterwards.
 */
export function SessionEnd() {
  const { text } = useTexts()
  const viewer = useViewer()
  const [answer, setAnswer] = useState<(isSignedIn: boolean) => void>()
  const isAsking = answer !== undefined

  useEffect(() => {
    if (viewer) askToSignIn(() => new Promise((resolve) => setAnswer(() => resolve)))
    return () => askToSignIn(undefined)
  }, [viewer])

  function end(isSignedIn: boolean) {
    answer?.(isSignedIn)
    setAnswer(undefined)
  }

  /** Asks the server, because the user can have signed in in any window, as any user. */
  const check = useEffectEvent(async () => {
    const user = await findSignedInUser().catch(() => undefined)
    if (!user) return
    // What is on the page belongs to the user before.
    if (user.id !== viewer?.id) return location.assign('/')
    end(true)
    const { rememberUser } = await import('./service-worker.ts')
    await rememberUser(user.id)
  })
  useEffect(() => {
    if (!isAsking) return
    const channel = new BroadcastChannel(sessionChannel)
    const look = () => void check()
    channel.onmessage = look
    addEventListener('focus', look)
    return () => {
      channel.close()
      removeEventListener('focus', look)
    }
  }, [isAsking])

  return (
    <DialogSheet title={text('session.ended')} isOpen={isAsking} onOpenChange={() => end(false)}>
      {(close) => (
        <>
          <p>{text('session.endedWhat', { user: viewer?.username ?? '' })}</p>
          <div className="buttons">
            <Button onPress={openSignIn}>{text('signIn.do')}</Button>
            <Button isSecondary onPress={close}>
              {text('app.cancel')}
            </Button>
          </div>
        </>
      )}
    </DialogSheet>
  )
}

function openSignIn(): void {
  const next = new URLSearchParams({ next: '/auth/signed-in' })
  // With a size, browsers on a desktop open a window instead of a tab.
  open(`/auth/signin?${next}`, 'partita-sign-in', 'popup,width=520,height=720')
}
