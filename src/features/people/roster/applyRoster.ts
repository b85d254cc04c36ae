import { RosterApplication, RosterProgress } from '../../../contract/roster.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { findOrganization } from '../organizations/store.ts'
import { importRoster } from './import.ts'
import { changesIn, type RosterReport } from './report.ts'
import type { StagedPerson } from './staging.ts'
import { openFiles, rosterBodyLimit } from './uploads.ts'

/** This long after its first change a request stops and answers. The next one continues. */
const millisecondsOfRequest = 2500

export const applyRoster = operation({
  id: 'applyRoster',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Import a part of a roster',
  description:
    'A request imports for a few seconds. The same request continues until `isDone`. The server keeps ' +
    'neither the files nor the passwords that it creates.',
  checkRole: checkAdministrator,
  body: RosterApplication,
  bodyLimit: rosterBodyLimit,
  returnsSecret: true,
  responses: { 200: RosterProgress },
  async handle({ ctx, actor, body, request }) {
    const by = checkAdministrator(actor)
    const { organization } = by
    const { files, classState: state = 'active', createPasswords = false } = body
    const { requires_provider } =
      (await findOrganization(ctx.db.read, organization)) ?? fail('ORGANIZATION_NOT_FOUND')
    const accounts: RosterProgress['accounts'] = []
    let before = 0
    const written = await ctx.keyedMutex(`roster ${organization}`, request, async () => {
      let end: number | undefined
      return importRoster(ctx, {
        path: await openFiles(files),
        organization,
        by,
        isDryRun: false,
        state,
        isOver() {
          end ??= performance.now() + millisecondsOfRequest
          return performance.now() > end
        },
        onPlanned: (planned) => {
          before = changesIn(planned)
        },
        ...(createPasswords &&
          requires_provider === 0 && {
            onFirstPassword: (person: StagedPerson, password: string) => {
              accounts.push(accountOf(person, password))
            },
          }),
        onProgress() {},
      })
    })
    const remaining = remainingAfter(before, written)
    return { isDone: remaining === 0, remaining, accounts }
  },
})

/** The plan of an import without changes is its result. */
const remainingAfter = (before: number, written: RosterReport) => Math.max(0, before - changesIn(written))

const accountOf = ({ username, firstname, lastname, role }: StagedPerson, password: string) => ({
  username,
  firstname,
  lastname,
  role: role ?? ('user' as const),
  password,
})
