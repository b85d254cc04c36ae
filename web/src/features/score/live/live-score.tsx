import './live-score.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../../app/client.ts'
import { useViewer } from '../../../app/queries.ts'
import { useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { type Change, type Ended, followScore } from './follow-score.ts'
import { isOwnRevision } from './own-revision.ts'

interface Props {
  score: string
  sharingKey: string | undefined
}

/**
 * Keeps the page of a score up to date. A new revision is shown when the reader wants it, because the music must not change while it
 * is played. After the score was deleted, or the access has ended, the page stays as it is, so that nothing typed is lost.
 */
export function LiveScore({ score, sharingKey }: Props) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const viewer = useViewer()
  const [ended, setEnded] = useState<Ended>()
  const [isOutdated, setOutdated] = useState(false)
  const [sessions, setSessions] = useState(0)

  const show = useEffectEvent((changes: readonly Change[]) => {
    if (changes.includes('comments'))
      void queries.invalidateQueries({ queryKey: ['scores', score, 'comments'] })
    if (changes.includes('sharing')) void queries.invalidateQueries({ queryKey: ['scores', score, 'access'] })
    if (changes.includes('details') || changes.includes('sharing'))
      void queries.invalidateQueries({ queryKey: ['scores', score, sharingKey ?? ''] })
    if (changes.includes('revision'))
      void isOwnRevision(queries, score, sharingKey).then(
        (isOwn) => !isOwn && setOutdated(true),
        () => setOutdated(true),
      )
  })
  useEffect(() => {
    void sessions
    const leaving = new AbortController()
    const { signal } = leaving
    void followScore({ score, sharingKey, signal, onChange: (changes) => show(changes) }).then((reason) => {
      if (!signal.aborted) setEnded(reason)
    })
    return () => leaving.abort()
  }, [score, sharingKey, sessions])

  async function goOn() {
    // Without a session, the app asks to sign in.
    const user = await call('getSignedInUser').catch(() => undefined)
    if (!user) return
    if (user.id !== viewer?.id) return location.reload()
    setEnded(undefined)
    setSessions((count) => count + 1)
  }

  return (
    <>
      <div role="alert" className="live-notice">
        {ended && <p className="wrong">{text(`live.${ended}`)}</p>}
        {ended === 'session' && <Button onPress={() => void goOn()}>{text('signIn.do')}</Button>}
      </div>
      <div role="status" className="live-notice">
        {isOutdated && !ended && (
          <p className="notice">
            {text('live.revision')}{' '}
            <Button
              className="link"
              onPress={() => {
                setOutdated(false)
                void queries.invalidateQueries({ queryKey: ['scores', score] })
              }}
            >
              {text('live.show')}
            </Button>
          </p>
        )}
      </div>
    </>
  )
}
