import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorText, useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDraft } from './draft.ts'
import { useMentions } from './mention-choices.tsx'
import { markedText, type Reader, readersIn, typedText } from './threads.ts'
import type { Comments } from './use-comments.ts'

/** Both forms of the text of a comment. */
export interface CommentTexts {
  readonly comment: string
  readonly rawComment: string
}

interface Props {
  /** Where the comment is written. */
  comments: Pick<Comments, 'score' | 'sharingKey'>
  /** Names the draft, which is kept until it is sent. */
  draft: string
  label: string
  action: string
  /** The text of a comment that is edited, with markup. */
  value?: string
  send(texts: CommentTexts): Promise<unknown>
  onClose?(): void
  children?: ReactNode
}

/** A field to write a comment. What was typed stays there until the server has accepted it. */
export function Composer({ comments, draft, label, action, value = '', send, onClose, children }: Props) {
  const texts = useTexts()
  const id = useId()
  const [kept, setKept] = useDraft(draft)
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const marked = kept || value
  const typed = typedText(marked)
  const mentions = useMentions(comments, typed.slice(0, caret), mention)
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess() {
      setKept('')
      onClose?.()
    },
  })
  function mention(reader: Reader, replaced: number) {
    const before = `${typed.slice(0, caret - replaced)}@${reader.username} `
    // The caret is set in the new text, which has to be there.
    flushSync(() => {
      setKept(markedText(before + typed.slice(caret), [...readersIn(marked), reader]))
      setCaret(before.length)
    })
    field.current?.setSelectionRange(before.length, before.length)
  }
  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    if (!isPending && marked.trim()) mutate({ comment: typed, rawComment: marked })
  }
  return (
    <form className="composer" onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...mentions.field}
        ref={field}
        id={id}
        value={typed}
        maxLength={9000}
        onChange={({ currentTarget }) => {
          setKept(markedText(currentTarget.value, readersIn(marked)))
          setCaret(currentTarget.selectionStart)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setCaret(0)}
        onKeyDown={(event) => {
          if (mentions.onKey(event)) return
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      {mentions.choices}
      {children}
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <div className="buttons">
        <Button type="submit" isPending={isPending}>
          {action}
        </Button>
        {onClose && (
          <Button
            isSecondary
            onPress={() => {
              setKept('')
              onClose()
            }}
          >
            {texts.text('app.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
