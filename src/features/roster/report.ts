/** What an import comes to for one kind of thing. */
export interface Tally {
  made: number
  changed: number
  leftAlone: number
  /** The first of them, in words. */
  listed: { made: string[]; changed: string[]; leftOut: string[] }
}

export interface RosterReport {
  people: Tally & {
    /** Removed in this organization, and staying so. */
    removed: number
    /** Who is no student and no teacher, or disabled in the school's records. */
    passedOver: number
  }
  classes: Tally & { archived: number }
  groups: Tally
  places: Tally
}

/** So many of each kind are listed: the report of a large school is read as well. */
const mostListed = 20

const tally = (): Tally => ({ made: 0, changed: 0, leftAlone: 0, listed: { made: [], changed: [], leftOut: [] } })

export const newReport = (): RosterReport => ({
  people: { ...tally(), removed: 0, passedOver: 0 },
  classes: { ...tally(), archived: 0 },
  groups: tally(),
  places: tally(),
})

export function noteMade(tally: Tally, what: string): void {
  tally.made += 1
  if (tally.listed.made.length < mostListed) tally.listed.made.push(what)
}

export function noteChanged(tally: Tally, what: string): void {
  tally.changed += 1
  if (tally.listed.changed.length < mostListed) tally.listed.changed.push(what)
}

export function noteLeftOut(tally: Tally, what: string): void {
  if (tally.listed.leftOut.length < mostListed) tally.listed.leftOut.push(what)
}

export const changesNothing = ({ people, classes, groups, places }: RosterReport): boolean =>
  [people, classes, groups, places].every(({ made, changed }) => made + changed === 0)

/** The report for people to read. */
export function describeReport(report: RosterReport, { isDryRun }: { isDryRun: boolean }): string {
  const { people, classes, groups, places } = report
  const head = changesNothing(report)
    ? 'Nothing to change: everything is as the roster has it.'
    : isDryRun
      ? 'This is what would be done; nothing was changed.'
      : 'The roster is imported.'
  const rows = [
    ['', 'made', 'changed', 'left alone'],
    ...(
      [
        ['people', people],
        ['classes', classes],
        ['groups', groups],
        ['places in classes and groups', places],
      ] as const
    ).map(([name, { made, changed, leftAlone }]) => [name, made, changed, leftAlone]),
  ]
  const table = rows.map(([name, ...cells]) => `  ${String(name).padEnd(30)}${cells.map(inColumn).join('')}`)
  return [
    head,
    '',
    ...table,
    ...(people.passedOver > 0
      ? ['', `Passed over, being no students or teachers, or disabled: ${people.passedOver}`]
      : []),
    ...listOf('New people', people.made, people.listed.made),
    ...listOf('Changed people', people.changed, people.listed.changed),
    ...listOf('Removed people, who stay removed (partita user restore)', people.removed, people.listed.leftOut),
    ...listOf('New classes', classes.made, classes.listed.made),
    ...listOf('Changed classes', classes.changed, classes.listed.changed),
    ...listOf('Classes in the archive, which stay as they are', classes.archived, classes.listed.leftOut),
    ...listOf('New groups', groups.made, groups.listed.made),
  ].join('\n')
}

const inColumn = (cell: string | number | undefined) => String(cell).padStart(12)

function listOf(title: string, count: number, listed: readonly string[]): string[] {
  if (count === 0) return []
  const more = count > listed.length ? [`  and ${count - listed.length} more`] : []
  return ['', `${title}:`, ...listed.map((one) => `  ${one}`), ...more]
}
