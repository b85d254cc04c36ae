/** The result of an import for one kind of object. */
export interface Tally {
  made: number
  changed: number
  leftAlone: number
  /** Descriptions of the first ones. */
  listed: { made: string[]; changed: string[]; leftOut: string[] }
}

export interface RosterReport {
  people: Tally & {
    /** Removed members of the organization. The import does not restore them. */
    removed: number
    /** Persons who are neither student nor teacher, or who are disabled in the records of the school. */
    passedOver: number
  }
  classes: Tally & { archived: number }
  groups: Tally
  places: Tally
}

/** The report lists at most this many of each kind, to stay readable for a large school. */
const maxListed = 20

const tally = (): Tally => ({
  made: 0,
  changed: 0,
  leftAlone: 0,
  listed: { made: [], changed: [], leftOut: [] },
})

export const newReport = (): RosterReport => ({
  people: { ...tally(), removed: 0, passedOver: 0 },
  classes: { ...tally(), archived: 0 },
  groups: tally(),
  places: tally(),
})

export function noteMade(tally: Tally, description: string): void {
  tally.made += 1
  if (tally.listed.made.length < maxListed) tally.listed.made.push(description)
}

export function noteChanged(tally: Tally, description: string): void {
  tally.changed += 1
  if (tally.listed.changed.length < maxListed) tally.listed.changed.push(description)
}

export function noteLeftOut(tally: Tally, description: string): void {
  if (tally.listed.leftOut.length < maxListed) tally.listed.leftOut.push(description)
}

export const changesNothing = ({ people, classes, groups, places }: RosterReport): boolean =>
  [people, classes, groups, places].every(({ made, changed }) => made + changed === 0)

/** Formats the report for the command line. */
export function describeReport(report: RosterReport, { isDryRun }: { isDryRun: boolean }): string {
  const { people, classes, groups, places } = report
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
        ['memberships', places],
      ] as const
    ).map(([name, { made, changed, leftAlone }]) => [name, made, changed, leftAlone]),
  ]
  const table = rows.map(([name, ...cells]) => `  ${String(name).padEnd(30)}${cells.map(inColumn).join('')}`)
  return [
    head,
    '',
    ...table,
    ...(people.passedOver > 0
      ? ['', `Skipped, because they are neither students nor teachers, or disabled: ${people.passedOver}`]
      : []),
    ...listOf('New users', people.made, people.listed.made),
    ...listOf('Changed users', people.changed, people.listed.changed),
    ...listOf(
      'Removed users, who stay removed (partita user restore)',
      people.removed,
      people.listed.leftOut,
    ),
    ...listOf('New classes', classes.made, classes.listed.made),
    ...listOf('Changed classes', classes.changed, classes.listed.changed),
    ...listOf('Archived classes, which stay archived', classes.archived, classes.listed.leftOut),
    ...listOf('New groups', groups.made, groups.listed.made),
  ].join('\n')
}

const inColumn = (cell: string | number | undefined) => String(cell).padStart(12)

function listOf(title: string, count: number, listed: readonly string[]): string[] {
  if (count === 0) return []
  const more = count > listed.length ? [`  and ${count - listed.length} more`] : []
  return ['', `${title}:`, ...listed.map((one) => `  ${one}`), ...more]
}
