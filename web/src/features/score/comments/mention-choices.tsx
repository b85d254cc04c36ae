import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../../app/texts.ts'
import { readersQuery } from '../people.ts'
import type { Reader } from './threads.ts'
import type { Comments } from './use-comments.ts'

interface Mentions {
  /** Attributes of the field. */
  readonly field: {
    readonly 'aria-autocomplete': 'list'
    readonly 'aria-controls': string | undefined
    readonly 'aria-activedescendant': string | undefined
  }
  /** Returns whether a key was used to choose somebody. */
  onKey(event: KeyboardEvent): boolean
  readonly choices: React.ReactNode
}

/** The beginning of a mention before the caret. */
const beginning = /(?:^|\s)@([^\s@]{0,40})$/u

/**
 * Offers people when an @ is typed, with the arrow keys and Enter, or by pointer.
 * @param before the text before the caret
 * @param onChoose receives the person, and how many characters of the text the name replaces
 */
export function useMentions(
  { score, sharingKey }: Pick<Comments, 'score' | 'sharingKey'>,
  before: string,
  onChoose: (reader: Reader, replaced: number) => void,
): Mentions {
  const { text } = useTexts()
  const id = useId()
  const [dismissed, setDismissed] = useState('')
  const [index, setIndex] = useState(0)
  const begun = before === dismissed ? undefined : beginning.exec(before)?.[1]
  const { data } = useQuery(readersQuery(score.id, begun, sharingKey))
  const people = begun === undefined ? [] : (data?.people ?? [])
  const active = people[Math.min(index, people.length - 1)]
  const idOf = (reader: Reader) => `${id}-${reader.id}`
  function choose(reader: Reader) {
    setIndex(0)
    onChoose(reader, (begun?.length ?? 0) + 1)
  }
  return {
    field: {
      'aria-autocomplete': 'list',
      'aria-controls': active && id,
      'aria-activedescendant': active && idOf(active),
    },
    onKey(event) {
      if (!active) return false
      if (event.key === 'ArrowDown') setIndex((index + 1) % people.length)
      else if (event.key === 'ArrowUp') setIndex((index + people.length - 1) % people.length)
      else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
        choose(active)
      else if (event.key === 'Escape') setDismissed(before)
      else return false
      event.preventDefault()
      return true
    },
    choices: (
      <>
        <div role="status" className="visually-hidden">
          {active && text('comments.mentionHint', { count: people.length })}
        </div>
        {active && (
          <div id={id} role="listbox" aria-label={text('comments.mention')} className="mention-choices">
            {people.map((reader) => (
              // The field keeps the focus and has the keys.
              // biome-ignore lint/a11y/useKeyWithClickEvents: see above
              // biome-ignore lint/a11y/useFocusableInteractive: see above
              <div
                key={reader.id}
                id={idOf(reader)}
                role="option"
                aria-selected={reader === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(reader)}
              >
                {reader.name} <span className="hint">@{reader.username}</span>
              </div>
            ))}
          </div>
        )}
      </>
    ),
  }
}
