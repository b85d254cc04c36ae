import { Command, InvalidArgumentError } from 'commander'
import { fail } from '../errors.ts'
import { insertOrganization, updateOrganization } from '../features/organizations/store.ts'
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

  const update = commandWithSettings('update', 'Change the limits of an organization')
    .argument('<id>')
    .requiredOption(
      '--max-classes <count>',
      'Active classes that it may have; "unlimited" for as many as wanted',
      readLimit,
    )
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        const change = { max_classes: options.maxClasses }
        if (!(await ctx.transaction((tx) => updateOrganization(tx, id, change)))) fail('ORGANIZATION_NOT_FOUND')
        print(options, { id, maxClasses: change.max_classes }, `Changed ${id}.`)
      })
    })

  return new Command('organization').description('Organizations').addCommand(create).addCommand(update)
}

function readLimit(text: string): number | null {
  if (text === 'unlimited') return null
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number or "unlimited" is expected.')
  return Number(text)
}
