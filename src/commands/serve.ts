import type { Command } from 'commander'
import { hasUsers } from '../features/users/store.ts'
import { commandWithSettings, configOf, everySetting } from './command-line.ts'

/** After how many milliseconds the process ends that was told to, whatever it waits for: a database that is away, say. */
const longestStop = 9_000

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
      setTimeout(() => process.exit(1), longestStop).unref()
      await app.stop()
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)

    if (config.role === 'worker') return
    const isNew = !(await hasUsers(app.ctx.db.read))
    process.stdout.write(`Partita is at ${config.publicUrl}, its reference at ${config.publicUrl}/docs\n`)
    if (isNew) {
      process.stdout.write(
        'There is no account yet. Make one, and a token for it:\n' +
          '  npm run partita -- user create --username ada --password "a long one"\n' +
          '  npm run partita -- token create --user ada\n' +
          'or fill this installation with a small school to try things on: npm run partita -- demo\n',
      )
    }
  })
}
