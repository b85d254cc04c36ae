import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { errorText, useTexts } from '../app/texts.ts'

interface Row {
  readonly id: string
  readonly name: string
}

interface Removal {
  /** The heading of the list. It takes the focus when the row that had the focus disappears. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** The result of the last removal. */
  readonly notice: string | undefined
  readonly hasFailed: boolean
  remove(row: Row): void
}

interface Options<Listed extends Row> {
  /** The key of the query that lists the rows. */
  queryKey: QueryKey
  /** The rows as the query has them now. */
  rows: readonly Listed[] | undefined
  /** Removes the row on the server. */
  removeById(id: string): Promise<void>
}

/**
 * Removes rows of a list. The row disappears before the server has answered, and comes back if the server does not
 * accept the removal.
 */
export function useRemoval<Listed extends Row>({ queryKey, rows, removeById }: Options<Listed>): Removal {
  const texts = useTexts()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const { mutate, status, variables, error } = useMutation({
    mutationKey: queryKey,
    mutationFn: ({ id }: Row) => removeById(id),
    async onMutate({ id }) {
      // A running query would bring the row back.
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<readonly Listed[]>(queryKey)
      queries.setQueryData<readonly Listed[]>(queryKey, (listed) => listed?.filter((row) => row.id !== id))
      return before
    },
    onError(_error, _row, before) {
      queries.setQueryData(queryKey, before)
    },
    onSettled() {
      // While another removal is pending, the server may still list its row.
      if (queries.isMutating({ mutationKey: queryKey }) === 1) void queries.invalidateQueries({ queryKey })
    },
  })

  const isRemoved = variables !== undefined && rows?.every(({ id }) => id !== variables.id)
  useEffect(() => {
    const { activeElement } = document
    if (isRemoved && (activeElement === null || activeElement === document.body)) heading.current?.focus()
  }, [isRemoved])

  return {
    heading,
    hasFailed: status === 'error',
    notice:
      status === 'success'
        ? texts.text('app.gone', { name: variables.name })
        : status === 'error'
          ? errorText(texts, error)
          : undefined,
    remove: mutate,
  }
}
