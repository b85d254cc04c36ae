import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { useTexts } from '../../app/texts.ts'
import { Day } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'

export function ScoreList({ scores }: { scores: readonly ScoreDetails[] }) {
  const { text } = useTexts()
  if (scores.length === 0) return <p>{text('library.none')}</p>
  return (
    <Table
      rows={scores}
      columns={[
        {
          title: text('library.titleOf'),
          isRowHeader: true,
          content: ({ id, title }) => <Link href={pathTo('/scores/{score}', { score: id })}>{title}</Link>,
        },
        { title: text('library.composer'), content: ({ composer }) => composer },
        {
          title: text('library.changed'),
          content: ({ modificationDate, creationDate }) => <Day of={modificationDate ?? creationDate} />,
        },
      ]}
      keyOf={({ id }) => id}
    />
  )
}
