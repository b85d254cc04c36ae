import { Command } from 'commander'
import { prepareApp } from '../auth/oauth-server/apps/registration.ts'
import { storeApp } from '../auth/oauth-server/apps/own-apps.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function appCommand(): Command {
  const create = commandWithSettings('create', 'Register an OAuth2 app')
    .requiredOption('--name <name>', 'Name of the app on the consent page')
    .requiredOption('--redirect-uri <address...>', 'Address to return users to; must match exactly')
    .option('--public', 'The app cannot keep a secret: it runs in a browser or on a phone')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const {
          app,
          redirectUris,
          secret: clientSecret,
        } = prepareApp(ctx, {
          name: options.name,
          redirectUris: options.redirectUri,
          isPublic: options.public === true,
          owner: null,
        })
        await ctx.transaction((tx) => storeApp(ctx, tx, app, redirectUris))
        const clientId = app.id
        print(
          options,
          { clientId, clientSecret },
          `Client id: ${clientId}${clientSecret ? `\nClient secret (shown only once): ${clientSecret}` : ''}`,
        )
      })
    })
  return new Command('app').description('OAuth2 apps').addCommand(create)
}
