import type { Command } from 'commander'
import { hasUsers } from '../features/users/store.ts'
import { commandWithSettings, configOf, everySetting } from './command-line.ts'

export function serveCommand(): Command {
  return commandWithSettings('serve', 'Start the server', everySetting).action(async (options) => {
    // The web framework is loaded by the one command that needs it.
    const { startApp } = await import('../app.ts')
    const config = configOf(options, everySetting)
    const app = await startApp(config)

    let stopping = false
    const stop = async (signal: string) => {
      if (stopping) return
      stopping = true
      app.ctx.log.info({ signal }, 'stopping')
      await app.stop()
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)

    if (config.role === 'worker') return
    process.stdout.write(`Partita is at ${config.publicUrl}, its reference at ${config.publicUrl}/docs\n`)
    if (!(await hasUsers(app.ctx.db.read))) {
      process.stdout.write(
        'There is no account yet. Make one, and a token for it:\n' +
          '  npm run partita -- user create --username ada --password "a long one"\n' +
          '  npm run partita -- token create --user ada\n' +
          'or fill this installation with a small school to try things on: npm run partita -- demo\n',
      )
    }
  })
}
