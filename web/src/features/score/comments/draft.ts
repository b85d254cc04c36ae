import { useState } from 'react'

/**
 * Keeps what the user types until it is sent, also over a reload of the page.
 * @param name what is written; each name has a text of its own
 */
export function useDraft(name: string): [text: string, setText: (text: string) => void] {
  const key = `partita.draft.${name}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  return [
    text,
    (next) => {
      if (next === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
      setText(next)
    },
  ]
}
