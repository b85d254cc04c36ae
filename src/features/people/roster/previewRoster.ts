import { RosterPreview, RosterUpload } from '../../../contract/roster.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { countSeats, findOrganization } from '../organizations/store.ts'
import type { ClassStep } from './classes.ts'
import { importRoster } from './import.ts'
import type { PersonStep } from './people.ts'
import { rosterProblems } from './problems.ts'
import { newReport, type RosterReport, type Tally } from './report.ts'
import { openFiles, rosterBodyLimit } from './uploads.ts'

/** The answer lists at most this many persons of each kind, and classes of each kind. */
const maxListed = 100

export const previewRoster = operation({
  id: 'previewRoster',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Get what the import of a roster would change, without changing anything',
  checkRole: checkAdministrator,
  body: RosterUpload,
  bodyLimit: rosterBodyLimit,
  responses: { 200: RosterPreview },
  async handle({ ctx, actor, body: { files }, request }) {
    const by = checkAdministrator(actor)
    const { organization } = by
    const { requires_provider } =
      (await findOrganization(ctx.db.read, organization)) ?? fail('ORGANIZATION_NOT_FOUND')
    const problems = rosterProblems()
    const people = listing(presentPerson)
    const classes = listing(presentClass)
    const report = await ctx.keyedMutex(`roster ${organization}`, request, async () => {
      const options = {
        organization,
        by,
        problems,
        isDryRun: true,
        state: 'active',
        onProgress() {},
      } as const
      const preview = { person: people.add, classStep: classes.add }
      return importRoster(ctx, { ...options, preview, path: await openFiles(files) }).catch((error) => {
        if (problems.found().count === 0) throw error
        return newReport()
      })
    })
    const hasProblems = problems.found().count > 0
    return {
      problems: problems.found(),
      ...countsOf(report),
      notNamed: hasProblems ? 0 : await countNotNamed(report),
      skipped: report.people.skipped,
      removed: report.people.removed,
      listed: hasProblems ? [] : people.listed,
      listedClasses: hasProblems ? [] : classes.listed,
      canCreatePasswords: requires_provider === 0,
    }

    async function countNotNamed({ people: { changed, unchanged } }: RosterReport) {
      return Math.max(0, (await countSeats(ctx.db.read, organization)) - changed - unchanged)
    }
  },
})

const countsOf = ({ people, classes, groups, memberships }: RosterReport) => ({
  people: countOf(people),
  classes: countOf(classes),
  groups: countOf(groups),
  memberships: countOf(memberships),
})

const countOf = ({ created, changed, unchanged }: Tally) => ({ created, changed, unchanged })

/** Collects the first steps of each kind. */
function listing<Step, Presented extends { kind: string }>(present: (step: Step) => Presented | undefined) {
  const listed: Presented[] = []
  const counts = new Map<string, number>()
  return {
    listed,
    add(step: Step) {
      const presented = present(step)
      if (!presented) return
      const count = (counts.get(presented.kind) ?? 0) + 1
      counts.set(presented.kind, count)
      if (count <= maxListed) listed.push(presented)
    },
  }
}

function presentPerson(step: PersonStep): RosterPreview['listed'][number] | undefined {
  const { kind, person } = step
  if (kind === 'unchanged' || kind === 'invalid') return undefined
  const { file, line, username, firstname, lastname } = person
  const name = [firstname, lastname].filter(Boolean).join(' ')
  const role = kind === 'removed' ? null : (step.role ?? null)
  return { kind, file, line, username, name, role, fields: kind === 'change' ? fieldsOf(step) : [] }
}

const columns = ['username', 'firstname', 'lastname', 'email', 'id'] as const

function fieldsOf({ fields, role }: Extract<PersonStep, { kind: 'change' }>) {
  return [...columns.filter((column) => fields.includes(column)), ...(role ? (['role'] as const) : [])]
}

function presentClass(step: ClassStep): RosterPreview['listedClasses'][number] | undefined {
  const { kind, schoolClass } = step
  if (kind === 'unchanged' || kind === 'invalid') return undefined
  return { kind, name: schoolClass.name, before: kind === 'rename' ? step.known.name : null }
}
