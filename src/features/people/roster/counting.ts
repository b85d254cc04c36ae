import type { ClassStep } from './classes.ts'
import { type PersonStep, roleName } from './people.ts'
import { countChanged, countCreated, listNotRestored, type RosterReport } from './report.ts'
import type { MembershipState, StagedGroup } from './staging.ts'

export function countPerson({ people }: RosterReport, step: PersonStep): void {
  const { person, kind } = step
  const named = `${person.username} (${person.file}, line ${person.line})`
  if (kind === 'create') countCreated(people, `${named}: ${roleName(step.role)}`)
  else if (kind === 'change') countChanged(people, `${named}: ${step.fields.join(', ')}`)
  else if (kind === 'unchanged') people.unchanged += 1
  else if (kind === 'removed') {
    people.removed += 1
    listNotRestored(people, named)
  }
}

export function countClass({ classes }: RosterReport, step: ClassStep): void {
  const { schoolClass, kind } = step
  if (kind === 'create') countCreated(classes, schoolClass.name)
  else if (kind === 'rename') countChanged(classes, `${step.known.name} → ${schoolClass.name}`)
  else if (kind === 'unchanged') classes.unchanged += 1
  else if (kind === 'archived') {
    classes.archived += 1
    listNotRestored(classes, schoolClass.name)
  }
}

export function countGroup(
  { groups }: RosterReport,
  { name, file, line }: StagedGroup,
  known: string | null,
): void {
  if (known === null) countCreated(groups, `${name} (${file}, line ${line})`)
  else groups.unchanged += 1
}

export function countMembership({ memberships }: RosterReport, state: MembershipState): void {
  if (state === 'known') memberships.unchanged += 1
  else if (state === 'changed') memberships.changed += 1
  else memberships.created += 1
}
