import { useEffect, useEffectEvent, useState } from 'react'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { writeJson } from '../../../../src/music/formats/json/write.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Session, useSaverState } from '../use-session.ts'

interface Props {
  session: Session
  title: string
  /** Opens the newer version. */
  onReload(): void
}

/** Says that somebody else has saved the score meanwhile. What was typed here becomes a score of its own. */
export function Conflict({ session, title, onReload }: Props) {
  const texts = useTexts()
  const { text } = texts
  const { status } = useSaverState(session.saver)
  const isConflict = status === 'conflict'
  const [copy, setCopy] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [key] = useState(() => crypto.randomUUID())
  const keepMine = useEffectEvent(async () => {
    setError(undefined)
    try {
      const created = await call('createScore', {
        body: {
          title: text('editor.copyTitle', { title }),
          privacy: 'private',
          data: writeJson(session.editor.state().document),
        },
        idempotencyKey: key,
      })
      setCopy(created.id)
      await session.forgetDraft()
    } catch (refused) {
      setError(refused)
    }
  })
  useEffect(() => {
    if (isConflict) void keepMine()
  }, [isConflict])
  if (!isConflict) return null
  return (
    <section className="editor-conflict" aria-label={text('editor.conflict')}>
      <Notice>{text(copy ? 'editor.conflictKept' : 'editor.conflict')}</Notice>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <div className="buttons">
        {copy && (
          <ButtonLink href={pathTo('/scores/{score}/edit', { score: copy })}>
            {text('editor.openMine')}
          </ButtonLink>
        )}
        {copy && (
          <Button isSecondary onPress={onReload}>
            {text('editor.openTheirs')}
          </Button>
        )}
        {error !== undefined && <Button onPress={() => void keepMine()}>{text('app.retry')}</Button>}
      </div>
    </section>
  )
}
