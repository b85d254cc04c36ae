import { Command } from 'commander'
import { allScopes, isScope } from '../contract/scopes.ts'
import { fail } from '../errors.ts'
import { createPersonalToken } from '../features/access-tokens/personal-token.ts'
import { findUserId } from '../features/users/store.ts'
import { sortKey } from '../lib/sort-key.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function tokenCommand(): Command {
  const create = commandWithSettings('create', 'Create a personal access token; it is shown this once')
    .requiredOption('--user <user>', 'Username or id')
    .option('--scopes <scopes>', 'What it allows, separated by commas; everything if not given')
    .option('--name <name>', 'To know it by', 'Command line')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const scopes = options.scopes ? readScopes(options.scopes) : allScopes
        const user = await findUserId(ctx.db.read, options.user, sortKey(options.user))
        if (!user) fail('USER_NOT_FOUND')
        const token = await createPersonalToken(ctx, user, options.name, scopes)
        print(options, { token }, token)
      })
    })
  return new Command('token').description('Personal access tokens').addCommand(create)
}

function readScopes(list: string) {
  return list.split(',').map((part) => {
    const scope = part.trim()
    if (!isScope(scope)) {
      fail('INVALID_PARAMETER', { message: `"${scope}" is no scope; there are ${allScopes.join(', ')}` })
    }
    return scope
  })
}
