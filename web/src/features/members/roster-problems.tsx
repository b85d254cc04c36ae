import type { RosterPreview } from '../../../../src/contract/roster.ts'
import { useTexts } from '../../app/texts.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Problem = RosterPreview['problems']['first'][number]

/** The problems of a roster, each with its file, line and column. */
export function RosterProblems({ problems: { count, first } }: Pick<RosterPreview, 'problems'>) {
  const { text } = useTexts()
  const columns: readonly Column<Problem & { key: string }>[] = [
    { title: text('roster.file'), isRowHeader: true, content: ({ file }) => file ?? text('roster.all') },
    { title: text('roster.line'), content: ({ line }) => line },
    { title: text('roster.column'), content: ({ column }) => column },
    // The server describes them in English.
    { title: text('roster.problem'), content: ({ problem }) => <span lang="en">{problem}</span> },
  ]
  const rows = first.map((problem, index) => ({ ...problem, key: String(index) }))
  return (
    <>
      <p className="wrong">{text('roster.problems', { count })}</p>
      <Table rows={rows} columns={columns} keyOf={({ key }) => key} />
      {count > first.length && <p>{text('roster.more', { count: count - first.length })}</p>}
    </>
  )
}
