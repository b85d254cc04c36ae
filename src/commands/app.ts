import { Command } from 'commander'
import { registerApp } from '../features/apps/registration.ts'
import { keepApp } from '../features/apps/own-apps.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function appCommand(): Command {
  const create = commandWithSettings('create', 'Register an app that signs people in by OAuth2')
    .requiredOption('--name <name>', 'What people are asked to allow')
    .requiredOption('--redirect-uri <address...>', 'Where people are sent back to; compared to the letter')
    .option('--public', 'It runs where it cannot keep a secret: in a browser, on a phone')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const { app, secret: clientSecret } = registerApp(ctx, {
          name: options.name,
          redirectUris: options.redirectUri,
          isPublic: options.public === true,
          owner: null,
        })
        await ctx.transaction((tx) => keepApp(ctx, tx, app, options.redirectUri))
        const clientId = app.id
        print(
          options,
          { clientId, clientSecret },
          `Client id: ${clientId}${clientSecret ? `\nClient secret, shown this once: ${clientSecret}` : ''}`,
        )
      })
    })
  return new Command('app').description('Apps that sign people in').addCommand(create)
}
