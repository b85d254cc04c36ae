import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import type { Sort } from './queries.ts'
import { tableRoles } from './table-roles.ts'

interface Props {
  sort: Sort
  onSort(field: Sort['field']): void
}

const directions = { asc: 'ascending', desc: 'descending' } as const

/** The head of the lines of scores. The button of a column sorts by it, and again the other way round. */
export function ScoreColumns({ sort, onSort }: Props) {
  const { text } = useTexts()
  const sortable = (field: Sort['field'], name: string) => (
    <div {...tableRoles.sortableHead(sort.field === field ? directions[sort.direction] : 'none')}>
      <Button className="column" onPress={() => onSort(field)}>
        {name}
        {sort.field === field && <span aria-hidden="true">{sort.direction === 'asc' ? '↑' : '↓'}</span>}
      </Button>
    </div>
  )
  return (
    <div {...tableRoles.group}>
      <div {...tableRoles.row} className="score-columns">
        <div {...tableRoles.head}>
          <span className="visually-hidden">{text('library.selection')}</span>
        </div>
        {sortable('title', text('library.titleOf'))}
        <div {...tableRoles.head}>{text('scorePage.instruments')}</div>
        {sortable('modificationDate', text('library.changed'))}
        <div {...tableRoles.head}>
          <span className="visually-hidden">{text('table.action')}</span>
        </div>
      </div>
    </div>
  )
}
