import './comment-bank.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { maxSavedCommentLength, maxSavedComments } from '../../../../src/contract/saved-comment-limits.ts'
import type { SavedComment } from '../../../../src/contract/saved-comments.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import type { CommentField } from '../../teaching/submission-comments.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { inserted } from './inserted-text.ts'

const savedCommentsQuery = queryOptions({
  queryKey: ['saved-comments'],
  queryFn: () => call('listSavedComments'),
})

/**
 * The saved comments of the teacher, below the field of a message. It stands in the form of the field. A delegated session has none:
 * they belong to the user.
 */
export default function CommentBank({ value, onChange }: CommentField) {
  const { text } = useTexts()
  const { isDelegated } = useMe()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const focusToggle = () => root.current?.querySelector('button')?.focus()

  function insert(comment: string) {
    const field = root.current?.closest('form')?.querySelector('textarea')
    if (!field) return
    const changed = inserted({ value, start: field.selectionStart, end: field.selectionEnd }, comment)
    // The field has the new text before the caret is set.
    flushSync(() => onChange(changed.value))
    field.focus()
    field.setSelectionRange(changed.caret, changed.caret)
  }
  if (isDelegated) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shorter way to the button that closes the bank
    <div
      ref={root}
      className="comment-bank"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        setOpen(false)
        focusToggle()
      }}
    >
      <Button isSecondary aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
        {text('savedComments.title')}
      </Button>
      <div id={id}>{isOpen && <Bank value={value} onInsert={insert} onDeleted={focusToggle} />}</div>
    </div>
  )
}

interface BankProps {
  /** The text of the field, which can be added. */
  value: string
  onInsert(comment: string): void
  onDeleted(): void
}

function Bank({ value, onInsert, onDeleted }: BankProps) {
  const texts = useTexts()
  const { text } = texts
  const saved = useQuery(savedCommentsQuery)
  const { add, remove, error } = useChanges(onDeleted)
  const comment = value.trim()
  const canAdd = comment !== '' && comment.length <= maxSavedCommentLength
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <QueryContent query={saved}>
        {(all) => (
          <>
            <ul aria-label={text('savedComments.title')}>
              {all.map((one) => (
                <li key={one.id}>
                  <Button className="saved-comment" onPress={() => onInsert(one.comment)}>
                    {one.comment}
                  </Button>
                  <Button
                    isSecondary
                    aria-label={text('savedComments.delete', { comment: one.comment })}
                    onPress={() => remove(one.id)}
                  >
                    ×
                  </Button>
                </li>
              ))}
            </ul>
            <Button
              isSecondary
              isDisabled={!canAdd || all.length >= maxSavedComments}
              onPress={() => add(comment)}
            >
              {text('savedComments.add')}
            </Button>
            <p role="status" className="hint">
              {text('savedComments.kept', {
                number: all.length,
                of: maxSavedComments,
                length: maxSavedCommentLength,
              })}
            </p>
          </>
        )}
      </QueryContent>
    </>
  )
}

/** Adds and deletes saved comments. The list shows what the server has answered. */
function useChanges(onDeleted: () => void) {
  const queries = useQueryClient()
  const change = (changed: (all: readonly SavedComment[]) => SavedComment[]) =>
    queries.setQueryData(savedCommentsQuery.queryKey, (all) => all && changed(all))
  const addition = useMutation({
    mutationFn: (comment: string) => call('addSavedComment', { body: { comment } }),
    onSuccess: (added) => change((all) => [added, ...all.filter(({ id }) => id !== added.id)]),
  })
  const removal = useMutation({
    mutationFn: (id: string) => call('deleteSavedComment', { params: { id } }),
    onSuccess(_nothing, removed) {
      change((all) => all.filter(({ id }) => id !== removed))
      onDeleted()
    },
  })
  return { add: addition.mutate, remove: removal.mutate, error: addition.error ?? removal.error }
}
