import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Field } from '../ui/fields.tsx'
import { goTo } from './model/commands.ts'
import type { Editor } from './model/editor.ts'
import { type SyllableEnd, sungPlace, syllableAt, writeSyllable } from './model/lyrics.ts'
import { placeOf } from './model/place.ts'

interface Props {
  editor: Editor
  onClose(): void
}

const ends: Readonly<Record<string, SyllableEnd>> = { ' ': 'word', '-': 'hyphen', _: 'line' }
const mostVerses = 20

/** A field under the caret for the syllable of a note. Space, hyphen and low line go to the next note. */
export function LyricsField({ editor, onClose }: Props) {
  const { text } = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const [verse, setVerse] = useState(1)
  const textAt = (number: number) => {
    const { document } = editor.state()
    return syllableAt(document, placeOf(editor.state()), number)?.text ?? ''
  }
  const [typed, setTyped] = useState(() => textAt(1))
  useEffect(() => (box.current ? stayAtCaret(box.current) : undefined), [])

  const write = (end: SyllableEnd) => writeSyllable(editor, placeOf(editor.state()), verse, typed.trim(), end)
  /** Writes what was typed without changing how a syllable ends that is the same as before. */
  const writeChanged = () => {
    if (typed.trim() !== textAt(verse)) write('word')
  }
  function go(direction: 'next' | 'previous'): void {
    const state = editor.state()
    const place = sungPlace(state.document, placeOf(state), direction)
    if (!place) {
      if (direction === 'next') onClose()
      return
    }
    goTo(editor, place)
    setTyped(textAt(verse))
  }
  function toVerse(number: number): void {
    if (number < 1 || number > mostVerses) return
    writeChanged()
    setVerse(number)
    setTyped(textAt(number))
  }
  /** Returns whether the key has done something. */
  function press(key: string): boolean {
    const end = ends[key]
    if (end) {
      write(end)
      go('next')
    } else if (key === 'Backspace' && typed === '') {
      writeChanged()
      go('previous')
    } else if (key === 'ArrowDown') toVerse(verse + 1)
    else if (key === 'ArrowUp') toVerse(verse - 1)
    else if (key === 'Enter' || key === 'Escape') {
      writeChanged()
      onClose()
    } else return false
    return true
  }
  return (
    <div ref={box} className="editor-lyrics">
      <Field
        label={text('editor.verse', { verse })}
        value={typed}
        onChange={setTyped}
        autoFocus
        autoComplete="off"
        spellCheck="false"
        onBlur={() => {
          writeChanged()
          onClose()
        }}
        onKeyDown={(event) => {
          if (!event.nativeEvent.isComposing && press(event.key)) event.preventDefault()
        }}
      />
    </div>
  )
}

/** Keeps an element under the caret while the music is drawn again. */
function stayAtCaret(box: HTMLElement): () => void {
  const music = box.parentElement?.querySelector('.editor-music')
  const place = () => {
    const caret = music?.querySelector('.editor-caret')?.getBoundingClientRect()
    const around = box.parentElement?.getBoundingClientRect()
    if (!caret || !around) return
    box.style.left = `${Math.max(0, Math.min(caret.left - around.left, around.width - box.offsetWidth))}px`
    box.style.top = `${caret.bottom - around.top}px`
  }
  const observer = new MutationObserver(place)
  if (music)
    observer.observe(music, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['x', 'y'],
    })
  place()
  return () => observer.disconnect()
}
