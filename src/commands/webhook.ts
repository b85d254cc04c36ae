import { Command, Option } from 'commander'
import { fail } from '../errors.ts'
import { findOrganization } from '../features/people/organizations/store.ts'
import { loadUserId } from '../features/people/users/accounts.ts'
import { addEndpoint, auditWebhook } from '../features/people/webhooks/endpoints.ts'
import {
  deleteEndpoint,
  findEndpoint,
  listEndpointsAfter,
} from '../features/people/webhooks/endpoints.store.ts'
import { presentWebhook } from '../features/people/webhooks/present.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

/** Manages webhooks (docs/webhooks.md). */
export function webhookCommand(): Command {
  const add = commandWithSettings('add', 'Add a webhook; its secret is shown only once')
    .argument('<address>', 'Where the events are sent')
    .addOption(new Option('--organization <id>', 'Send the events of this organization').conflicts('user'))
    .option('--user <user>', 'Send the events of this account: username or id')
    .option('--types <types>', 'Types of events, separated by commas; all types if not given')
    .option(...jsonFlag)
    .action(async (url: string, options) => {
      await withContext(options, async (ctx) => {
        const { organization, user, types } = options
        if (organization === undefined && user === undefined)
          fail('INVALID_PARAMETER', { message: 'One of --organization and --user is needed.' })
        if (organization !== undefined && !(await findOrganization(ctx.db.read, organization)))
          fail('ORGANIZATION_NOT_FOUND')
        const audience =
          organization === undefined ? { user: await loadUserId(ctx.db.read, user) } : { organization }
        const chosen = { url, types: types?.split(',') ?? [], by: null }
        const { endpoint, secret } = await addEndpoint(ctx, audience, chosen)
        print(options, { ...presentWebhook(endpoint, ctx.clock.now()), secret }, secret)
      })
    })

  const list = commandWithSettings('list', 'List all webhooks, without their secrets')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const rows = await listEndpointsAfter(ctx.db.read, '', mostListed)
        const webhooks = rows.map((row) => {
          const { organization_id: organization, user_id: user } = row
          return { organization, user, ...presentWebhook(row, ctx.clock.now()) }
        })
        const lines = webhooks.map(
          ({ id, url, organization, user, offReason, failingSince }) =>
            `${id}  ${url}  of ${organization ?? user}, ${stateOf(offReason, failingSince)}`,
        )
        print(options, { webhooks }, lines.join('\n') || 'No webhooks.')
      })
    })

  const remove = commandWithSettings('remove', 'Remove a webhook with its deliveries')
    .argument('<id>', 'Id of the webhook, from the list')
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        await ctx.transaction(async (tx) => {
          const endpoint = (await findEndpoint(tx, id)) ?? fail('WEBHOOK_NOT_FOUND')
          await deleteEndpoint(tx, id)
          await auditWebhook(ctx, tx, endpoint, { by: null, action: 'webhook.deleted' })
        })
        print(options, { id }, `Removed ${id}.`)
      })
    })

  return new Command('webhook')
    .description('Addresses to which events are sent')
    .addCommand(add)
    .addCommand(list)
    .addCommand(remove)
}

/** The command prints at most this many webhooks. */
const mostListed = 10_000

const stateOf = (offReason: string | null, failingSince: string | null) =>
  offReason === null ? (failingSince === null ? 'on' : `failing since ${failingSince}`) : `off (${offReason})`
