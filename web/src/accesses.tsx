import type { ReactNode } from 'react'
import type { Scope } from '../../src/contract/scopes.ts'
import { Confirmation } from './confirmation.tsx'
import { useEnding } from './ending.ts'
import { useLoaded } from './loaded.ts'
import { Loading, Notice } from './page.tsx'
import { Scopes } from './scopes.tsx'
import { useTexts } from './texts.ts'

interface Access {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

interface Column<One> {
  readonly title: string
  content(one: One): ReactNode
}

interface Props<One extends Access> {
  /** Of the heading. */
  readonly id: string
  readonly title: string
  /** What is said where there are none. */
  readonly none: string
  /** What follows from ending one. */
  readonly consequence: string
  /** When it was used, and the like: after what it is called and what it allows. */
  readonly columns: readonly Column<One>[]
  /** The same function each time. */
  readonly load: () => Promise<readonly One[]>
  readonly end: (id: string) => Promise<void>
  /** Stands under the heading. */
  readonly children?: ReactNode
  /** Stands under the table. */
  readonly footer?: ReactNode
}

/** What acts in one's name, and what each may; each can be ended. */
export function Accesses<One extends Access>({ id, title, none, load, end, children, footer, ...table }: Props<One>) {
  const { value: accesses, error, reload } = useLoaded(load)
  const ending = useEnding(end, reload)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} ref={ending.heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <Notice isWrong={ending.hasFailed}>{ending.notice}</Notice>
      {accesses === undefined ? (
        <Loading error={error} />
      ) : accesses.length === 0 ? (
        <p>{none}</p>
      ) : (
        <AccessTable {...table} accesses={accesses} onEnd={ending.end} />
      )}
      {footer}
    </section>
  )
}

interface TableProps<One extends Access> extends Pick<Props<One>, 'columns' | 'consequence'> {
  readonly accesses: readonly One[]
  onEnd(one: One): void
}

function AccessTable<One extends Access>({ accesses, columns, consequence, onEnd }: TableProps<One>) {
  const { text } = useTexts()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text('table.name')}</th>
          <th scope="col">{text('table.allows')}</th>
          {columns.map(({ title }) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
          <th scope="col">{text('table.action')}</th>
        </tr>
      </thead>
      <tbody>
        {accesses.map((one) => (
          <tr key={one.id}>
            <th scope="row">{one.name}</th>
            <td>
              <Scopes scopes={one.scopes} />
            </td>
            {columns.map(({ title, content }) => (
              <td data-label={title} key={title}>
                {content(one)}
              </td>
            ))}
            <td>
              <Confirmation
                action={text('tokens.revoke')}
                label={text('tokens.revokeNamed', { name: one.name })}
                consequence={consequence}
                onConfirm={() => onEnd(one)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
