/** The result of an import for one kind of object. */
export interface Tally {
  created: number
  changed: number
  unchanged: number
  /** Descriptions of the first ones. */
  listed: { created: string[]; changed: string[]; notRestored: string[] }
}

export interface RosterReport {
  people: Tally & {
    /** Removed members of the organization. The import does not restore them. */
    removed: number
    /** Persons who are neither student nor teacher, or who are disabled in the records of the school. */
    skipped: number
  }
  classes: Tally & { archived: number }
  groups: Tally
  memberships: Tally
}

/** The report lists at most this many of each kind, to stay readable for a large school. */
const maxListed = 20

const tally = (): Tally => ({
  created: 0,
  changed: 0,
  unchanged: 0,
  listed: { created: [], changed: [], notRestored: [] },
})

export const newReport = (): RosterReport => ({
  people: { ...tally(), removed: 0, skipped: 0 },
  classes: { ...tally(), archived: 0 },
  groups: tally(),
  memberships: tally(),
})

export function countCreated(tally: Tally, description: string): void {
  tally.created += 1
  if (tally.listed.created.length < maxListed) tally.listed.created.push(description)
}

export function countChanged(tally: Tally, description: string): void {
  tally.changed += 1
  if (tally.listed.changed.length < maxListed) tally.listed.changed.push(description)
}

export function listNotRestored(tally: Tally, description: string): void {
  if (tally.listed.notRestored.length < maxListed) tally.listed.notRestored.push(description)
}

/** The number of created and changed objects. */
export const changesIn = ({ people, classes, groups, memberships }: RosterReport): number =>
  [people, classes, groups, memberships].reduce((sum, { created, changed }) => sum + created + changed, 0)

export const changesNothing = (report: RosterReport): boolean => changesIn(report) === 0

/** Formats the report for the command line. */
export function describeReport(report: RosterReport, { isDryRun }: { isDryRun: boolean }): string {
  const { people, classes, groups, memberships } = report
  const head = changesNothing(report)
    ? 'Nothing to change: everything matches the roster.'
    : isDryRun
      ? 'Dry run: nothing was changed. The import would do this:'
      : 'Imported the roster.'
  const rows = [
    ['', 'created', 'changed', 'unchanged'],
    ...(
      [
        ['users', people],
        ['classes', classes],
        ['groups', groups],
        ['memberships', memberships],
      ] as const
    ).map(([name, { created, changed, unchanged }]) => [name, created, changed, unchanged]),
  ]
  const table = rows.map(([name, ...cells]) => `  ${String(name).padEnd(30)}${cells.map(inColumn).join('')}`)
  return [
    head,
    '',
    ...table,
    ...(people.skipped > 0
      ? ['', `Skipped, because they are neither students nor teachers, or disabled: ${people.skipped}`]
      : []),
    ...listOf('New users', people.created, people.listed.created),
    ...listOf('Changed users', people.changed, people.listed.changed),
    ...listOf(
      'Removed users, who stay removed (partita user restore)',
      people.removed,
      people.listed.notRestored,
    ),
    ...listOf('New classes', classes.created, classes.listed.created),
    ...listOf('Changed classes', classes.changed, classes.listed.changed),
    ...listOf('Archived classes, which stay archived', classes.archived, classes.listed.notRestored),
    ...listOf('New groups', groups.created, groups.listed.created),
  ].join('\n')
}

const inColumn = (cell: string | number | undefined) => String(cell).padStart(12)

function listOf(title: string, count: number, listed: readonly string[]): string[] {
  if (count === 0) return []
  const more = count > listed.length ? [`  and ${count - listed.length} more`] : []
  return ['', `${title}:`, ...listed.map((description) => `  ${description}`), ...more]
}
