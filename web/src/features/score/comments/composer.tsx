import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react'
import { errorText, useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDraft } from './draft.ts'
import { typedText } from './threads.ts'

/** Both forms of the text of a comment. */
export interface CommentTexts {
  readonly comment: string
  readonly rawComment: string
}

interface Props {
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
export function Composer({ draft, label, action, value = '', send, onClose, children }: Props) {
  const texts = useTexts()
  const id = useId()
  const [kept, setKept] = useDraft(draft)
  const marked = kept || value
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess() {
      setKept('')
      onClose?.()
    },
  })
  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    if (!isPending && marked.trim()) mutate({ comment: typedText(marked), rawComment: marked })
  }
  return (
    <form className="composer" onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        value={typedText(marked)}
        maxLength={9000}
        onChange={({ currentTarget }) => setKept(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
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
