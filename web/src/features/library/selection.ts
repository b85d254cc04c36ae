import { useMemo, useState } from 'react'
import type { Selection } from './score-items.tsx'

/** Which of the listed scores the user has selected. */
export function useSelection(scores: readonly { readonly id: string }[]): Selection {
  const [{ ids, last }, setState] = useState<{ ids: ReadonlySet<string>; last?: string }>({ ids: new Set() })
  return useMemo(
    () => ({
      ids,
      toggle(id, isRange) {
        const changed = new Set(ids)
        const [from, to] = [last, id].map((one) => scores.findIndex((score) => score.id === one))
        if (isRange && from !== undefined && to !== undefined && from >= 0 && to >= 0) {
          for (const score of scores.slice(Math.min(from, to), Math.max(from, to) + 1)) changed.add(score.id)
        } else if (!changed.delete(id)) changed.add(id)
        setState({ ids: changed, last: id })
      },
      selectAll: () => setState({ ids: new Set(scores.map(({ id }) => id)) }),
      clear: () => setState({ ids: new Set() }),
    }),
    [ids, last, scores],
  )
}
