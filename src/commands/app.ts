import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { fail } from '../errors.ts'
import { insertApp } from '../features/apps/store.ts'
import { hashToken } from '../lib/tokens.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function appCommand(): Command {
  const create = commandWithSettings('create', 'Register an app that signs people in by OAuth2')
    .requiredOption('--name <name>', 'What people are asked to allow')
    .requiredOption('--redirect-uri <address>', 'Where people are sent back to; compared to the letter')
    .option('--public', 'It runs where it cannot keep a secret: in a browser, on a phone')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        if (!URL.canParse(options.redirectUri) || options.redirectUri.includes('#')) {
          fail('INVALID_PARAMETER', { message: '--redirect-uri must be an absolute address without a fragment' })
        }
        const clientId = ctx.newId()
        const clientSecret = options.public ? undefined : `partita_secret_${randomBytes(30).toString('base64url')}`
        await ctx.transaction((tx) =>
          insertApp(tx, {
            id: clientId,
            name: options.name,
            redirect_uri: options.redirectUri,
            secret_hash: clientSecret ? hashToken(clientSecret) : null,
            created_at: ctx.clock.now(),
          }),
        )
        print(
          options,
          { clientId, clientSecret },
          `Client id: ${clientId}${clientSecret ? `\nClient secret, shown this once: ${clientSecret}` : ''}`,
        )
      })
    })
  return new Command('app').description('Apps that sign people in').addCommand(create)
}
