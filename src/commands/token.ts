import { Command, InvalidArgumentError } from 'commander'
import { allScopes, isScope } from '../contract/scopes.ts'
import { fail } from '../errors.ts'
import { insertPersonalToken, preparePersonalToken } from '../auth/tokens/personal-token.ts'
import { deleteAccessToken, listAccessTokens } from '../auth/tokens/store.ts'
import { audit } from '../features/people/audit/audit.ts'
import { loadUserId } from '../features/people/users/accounts.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { day } from '../lib/durations.ts'

export function tokenCommand(): Command {
  const create = commandWithSettings('create', 'Create a personal access token; it is shown only once')
    .requiredOption('--user <user>', 'Username or id')
    .option('--scopes <scopes>', 'Scopes of the token, separated by commas; all scopes if not given')
    .option('--name <name>', 'Name of the token', 'Command line')
    .option('--expires <days>', 'Days until the token expires; never if not given', readDays)
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const { name, expires } = options
        const scopes = options.scopes ? readScopes(options.scopes) : allScopes
        const user = await loadUserId(ctx.db.read, options.user)
        const expiresAt = expires === undefined ? undefined : ctx.clock.now() + expires * day
        const { token, row } = preparePersonalToken(ctx, user, name, scopes, expiresAt)
        await ctx.transaction((tx) => insertPersonalToken(ctx, tx, row, null))
        print(options, { token, id: row.id, expires: dateOf(row.expires_at) }, token)
      })
    })

  const list = commandWithSettings('list', 'List the tokens of a user, without their secrets')
    .requiredOption('--user <user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const rows = await listAccessTokens(ctx.db.read, await loadUserId(ctx.db.read, options.user))
        const tokens = rows.map((row) => ({
          id: row.id,
          name: row.name,
          app: row.app_id ?? undefined,
          scopes: JSON.parse(row.scopes) as string[],
          created: dateOf(row.created_at),
          expires: dateOf(row.expires_at),
          lastUsed: dateOf(row.last_used_at),
        }))
        const lines = tokens.map(({ id, name, created, expires, lastUsed }) => {
          return `${id}  ${name}  created ${created}, ${expires ? `expires ${expires}` : 'does not expire'}, last used ${lastUsed ?? 'never'}`
        })
        print(options, { tokens }, lines.join('\n') || 'No tokens.')
      })
    })

  const revoke = commandWithSettings(
    'revoke',
    'Revoke a token; servers may accept it for up to five more seconds',
  )
    .argument('<id>', 'Id of the token, from the list')
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        await ctx.transaction(async (tx) => {
          const user = await deleteAccessToken(tx, id)
          if (!user) fail('TOKEN_NOT_FOUND')
          const event = { organization: { of: user }, actor: null, subject: user, details: { token: id } }
          await audit(tx, ctx, { ...event, action: 'user.access-token-revoked' })
        })
        print(options, { id }, `Revoked ${id}.`)
      })
    })

  return new Command('token')
    .description('Personal access tokens')
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
}

const dateOf = (time: number | null) => (time === null ? undefined : new Date(time).toISOString())

function readDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new InvalidArgumentError('Expected a number of days from 1 to 99999.')
  return Number(text)
}

function readScopes(list: string) {
  return list.split(',').map((part) => {
    const scope = part.trim()
    if (!isScope(scope)) {
      fail('INVALID_PARAMETER', {
        message: `"${scope}" is not a scope. The scopes are ${allScopes.join(', ')}`,
      })
    }
    return scope
  })
}
