import { Command, InvalidArgumentError } from 'commander'
import { fail } from '../errors.ts'
import { insertOrganization, type OrganizationChange, updateOrganization } from '../features/organizations/store.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function organizationCommand(): Command {
  const create = commandWithSettings('create', 'Create an organization: a school, a company')
    .requiredOption('--name <name>')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const id = ctx.newId()
        await ctx.transaction((tx) =>
          insertOrganization(tx, {
            id,
            name: options.name,
            max_classes: null,
            allows_public_scores: 0,
            created_at: ctx.clock.now(),
          }),
        )
        print(options, { id, name: options.name }, `Created ${options.name} (${id}).`)
      })
    })

  const update = commandWithSettings('update', 'Change what an organization may do')
    .argument('<id>')
    .option('--max-classes <count>', 'Active classes that it may have; "unlimited" for as many as wanted', readLimit)
    .option(
      '--allow-public-scores <true|false>',
      'Whether scores of its members may be public, and opened by their links, outside of it',
      readBoolean,
    )
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        const { maxClasses, allowPublicScores } = options
        if (maxClasses === undefined && allowPublicScores === undefined) {
          fail('INVALID_PARAMETER', { message: '--max-classes or --allow-public-scores must be given' })
        }
        const change: OrganizationChange = {}
        if (maxClasses !== undefined) change.max_classes = maxClasses
        if (allowPublicScores !== undefined) change.allows_public_scores = allowPublicScores ? 1 : 0
        if (!(await ctx.transaction((tx) => updateOrganization(tx, id, change)))) fail('ORGANIZATION_NOT_FOUND')
        print(options, { id, maxClasses, allowPublicScores }, `Changed ${id}.`)
      })
    })

  return new Command('organization').description('Organizations').addCommand(create).addCommand(update)
}

function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('"true" or "false" is expected.')
  return text === 'true'
}

function readLimit(text: string): number | null {
  if (text === 'unlimited') return null
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number or "unlimited" is expected.')
  return Number(text)
}
