import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { createEngraver, startVerovio } from '../engraver/engraver.ts'
import { commandsOfKeys, goTo, type PageActions } from '../model/commands.ts'
import { lookUp } from '../model/keys.ts'
import { type Session, useEditorState } from '../use-session.ts'
import { type CaretView, createCaret, scrollToCaret } from './caret.ts'
import { createDrawing, type Drawing } from './drawing.ts'
import { createLines, type MusicLines } from './lines-view.ts'
import { positionAt } from './pointer.ts'

interface View {
  readonly lines: MusicLines
  readonly caret: CaretView
  readonly drawing: Drawing
}

interface Props {
  session: Session
  page: PageActions
  title: string
}

/** The music with the caret. It takes the keys of all commands. */
export function MusicSurface({ session: { editor }, page, title }: Props) {
  const { text } = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const help = useId()
  const [view, setView] = useState<View>()
  const [isReady, setReady] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const { document: score, caret, selected } = useEditorState(editor)

  const showCaret = useEffectEvent((shown: View) => shown.caret.show(score, caret, selected))
  useEffect(() => {
    if (!host.current) return
    const engraver = createEngraver(startVerovio)
    const lines = createLines(
      host.current,
      () => created.caret.element.closest('.editor-line'),
      () => {
        setReady(true)
        setFailed(false)
        showCaret(created)
      },
    )
    const created: View = {
      lines,
      caret: createCaret(lines),
      drawing: createDrawing(engraver, lines, () => setFailed(true)),
    }
    setView(created)
    created.drawing.show(editor.state().document, undefined)
    const stop = editor.onEdit(({ document, changes }) => created.drawing.show(document, changes))
    let { width } = host.current.getBoundingClientRect()
    const observer = new ResizeObserver(([entry]) => {
      const next = entry?.contentRect.width ?? width
      if (Math.abs(next - width) < 2) return
      width = next
      created.drawing.layOut()
    })
    observer.observe(host.current)
    const shown = host.current
    return () => {
      observer.disconnect()
      stop()
      created.drawing.close()
      engraver.close()
      shown.replaceChildren()
    }
  }, [editor])

  useEffect(() => {
    if (!view) return
    view.caret.show(score, caret, selected)
    scrollToCaret(view.caret)
  }, [view, score, caret, selected])

  // The reader has not gone elsewhere while the music was loading.
  useEffect(() => {
    const { activeElement } = document
    if (isReady && (activeElement === document.body || activeElement?.localName === 'h1'))
      host.current?.focus({ preventScroll: true })
  }, [isReady])

  function onKeyDown(event: KeyboardEvent): void {
    const command = lookUp(event.nativeEvent, commandsOfKeys)
    if (!command) return
    event.preventDefault()
    event.stopPropagation()
    command.run(editor, page)
  }
  return (
    <>
      <Notice isError>{hasFailed ? text('editor.notDrawn') : undefined}</Notice>
      <p id={help} className="visually-hidden">
        {text('editor.help')}
      </p>
      <div
        ref={host}
        className="editor-music"
        role="application"
        aria-label={text('editor.musicOf', { title })}
        aria-describedby={help}
        aria-busy={!isReady}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerUp={({ nativeEvent }) => {
          const at = view && positionAt(nativeEvent, score, caret, view.lines)
          if (at) goTo(editor, at)
        }}
      />
    </>
  )
}
