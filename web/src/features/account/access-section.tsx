import type { QueryKey, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Scope } from '../../../../src/contract/scopes.ts'
import { useTexts } from '../../app/texts.ts'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useRemoval } from '../../ui/removal.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Scopes } from './scopes.tsx'

/** A token or a connected app. */
interface Access {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

interface Props<Listed extends Access> {
  /** The id of the heading. */
  id: string
  title: string
  query: UseQueryResult<Listed[]>
  queryKey: QueryKey
  /** The text of an empty list. */
  none: string
  /** The columns between the scopes and the button. */
  columns: readonly Column<Listed>[]
  /** Explains what happens if the user revokes an access. */
  consequence: string
  revoke(id: string): Promise<void>
  /** Content between the heading and the list. */
  children?: ReactNode
  /** Content below the list. */
  footer?: ReactNode
}

/** A list of tokens or apps that act for the user. The user can revoke each of them. */
export function AccessSection<Listed extends Access>(props: Props<Listed>) {
  const {
    id,
    title,
    query,
    queryKey,
    none,
    columns,
    consequence: explanation,
    revoke,
    children,
    footer,
  } = props
  const { text } = useTexts()
  const removal = useRemoval({ queryKey, rows: query.data, removeById: revoke })
  const allColumns: readonly Column<Listed>[] = [
    { title: text('table.name'), isRowHeader: true, content: ({ name }) => name },
    {
      title: text('table.allows'),
      hasNoLabel: true,
      content: ({ scopes }) => <Scopes scopes={scopes} />,
    },
    ...columns,
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (access) => (
        <Confirmation
          action={text('tokens.revoke')}
          label={text('tokens.revokeNamed', { name: access.name })}
          consequence={explanation}
          onConfirm={() => removal.remove(access)}
        />
      ),
    },
  ]
  return (
    <section aria-labelledby={id}>
      <h2 id={id} ref={removal.heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <Notice isError={removal.hasFailed}>{removal.notice}</Notice>
      <QueryContent query={query}>
        {(rows) =>
          rows.length === 0 ? <p>{none}</p> : <Table rows={rows} columns={allColumns} keyOf={keyOf} />
        }
      </QueryContent>
      {footer}
    </section>
  )
}

const keyOf = ({ id }: Access) => id
