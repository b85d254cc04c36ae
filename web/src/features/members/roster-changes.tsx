import type { RosterPreview } from '../../../../src/contract/roster.ts'
import { useTexts } from '../../app/texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Person = RosterPreview['listed'][number]
type SchoolClass = RosterPreview['listedClasses'][number]

const kinds = ['people', 'classes', 'groups', 'memberships'] as const

/** What the import of a roster would change: the numbers, then the people and classes by name. */
export function RosterChanges({ preview }: { preview: RosterPreview }) {
  const { text } = useTexts()
  const columns: readonly Column<(typeof kinds)[number]>[] = [
    { title: text('roster.kind'), isRowHeader: true, content: (kind) => text(`roster.kind.${kind}`) },
    { title: text('roster.created'), content: (kind) => preview[kind].created },
    { title: text('roster.changed'), content: (kind) => preview[kind].changed },
    { title: text('roster.unchanged'), content: (kind) => preview[kind].unchanged },
  ]
  const { notNamed, skipped, removed, listed, people, listedClasses, classes } = preview
  const peopleOf = (kind: Person['kind']) => listed.filter((person) => person.kind === kind)
  return (
    <>
      <Table rows={kinds} columns={columns} keyOf={(kind) => kind} />
      <Facts
        facts={[
          [text('roster.notNamed'), text('roster.stayNumber', { count: notNamed })],
          ...(skipped > 0 ? [[text('roster.skipped'), skipped] as const] : []),
        ]}
      />
      <People title={text('roster.newPeople')} rows={peopleOf('create')} count={people.created} />
      <People title={text('roster.changedPeople')} rows={peopleOf('change')} count={people.changed} />
      <People title={text('roster.removedPeople')} rows={peopleOf('removed')} count={removed} />
      <Classes rows={listedClasses} count={classes.created + classes.changed} />
    </>
  )
}

function People({ title, rows, count }: { title: string; rows: readonly Person[]; count: number }) {
  const { text } = useTexts()
  if (count === 0) return null
  const change = ({ role, fields }: Person) =>
    [
      ...fields.filter((field) => field !== 'role').map((field) => text(`roster.field.${field}`)),
      ...(role ? [text(`members.role.${role}`)] : []),
    ].join(', ')
  const columns: readonly Column<Person>[] = [
    { title: text('members.username'), isRowHeader: true, content: ({ username }) => username },
    { title: text('table.name'), content: ({ name }) => name },
    ...(rows.some(({ kind }) => kind !== 'removed')
      ? [{ title: text('roster.change'), content: change }]
      : []),
    { title: text('roster.line'), content: ({ file, line }) => `${file}, ${line}` },
  ]
  return (
    <details open={count <= 20}>
      <summary>
        {title}: {count}
      </summary>
      <Table
        rows={rows}
        columns={columns}
        keyOf={({ file, line, username }) => `${file} ${line} ${username}`}
      />
      {count > rows.length && <p>{text('roster.more', { count: count - rows.length })}</p>}
    </details>
  )
}

function Classes({ rows, count }: { rows: readonly SchoolClass[]; count: number }) {
  const { text } = useTexts()
  if (rows.length === 0) return null
  const columns: readonly Column<SchoolClass>[] = [
    { title: text('members.class'), isRowHeader: true, content: ({ name }) => name },
    {
      title: text('roster.change'),
      content: ({ kind, before, name }) =>
        before === null
          ? text(kind === 'create' ? 'roster.newClass' : 'roster.archivedClass')
          : text('rules.fromTo', { before, after: name }),
    },
  ]
  return (
    <details open={rows.length <= 20}>
      <summary>
        {text('roster.kind.classes')}: {count}
      </summary>
      <Table rows={rows} columns={columns} keyOf={({ kind, name }) => `${kind} ${name}`} />
    </details>
  )
}
