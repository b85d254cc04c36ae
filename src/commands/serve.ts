import type { Command } from 'commander'
import { ConfigError, settings } from '../config.ts'
import { hasUsers } from '../features/people/users/store.ts'
import { commandWithSettings, configOf, everySetting } from './command-line.ts'
import { logProcessEnd, stopAfterNpm } from './process-end.ts'

/** Milliseconds after which a stopping process exits even if it still waits, for example for a lost database. */
const longestStop = 9_000

export function serveCommand(): Command {
  return commandWithSettings('serve', 'Start the server', everySetting).action(async (options) => {
    // The web framework is loaded by the one command that needs it.
    const { startApp } = await import('../app.ts')
    const config = configOf(options, everySetting)
    if (config.durability === 'off') {
      throw new ConfigError(
        `${settings.durability.name}: the server needs "full"; with "off" a power cut loses acknowledged writes`,
      )
    }
    const app = await startApp(config)
    const { log } = app.ctx
    logProcessEnd(log)

    let stopping = false
    const stop = async (reason: string) => {
      if (stopping) return
      stopping = true
      log.info({ reason }, 'stopping')
      setTimeout(() => {
        log.error(`not stopped after ${longestStop / 1000} s`)
        process.exit(1)
      }, longestStop).unref()
      await app.stop()
    }
    // A terminal and npm may both send a signal. `once` would let the second one end the process at once.
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    stopAfterNpm(() => stop('npm has ended'))

    if (config.role === 'worker') return
    const isNew = !(await hasUsers(app.ctx.db.read))
    process.stdout.write(
      `Partita runs at ${config.publicUrl}, its reference is at ${config.publicUrl}/docs\n`,
    )
    if (isNew) {
      process.stdout.write(
        'There is no account yet. Create one with a token:\n' +
          '  npm run partita -- user create --username ada --password "a long one"\n' +
          '  npm run partita -- token create --user ada\n' +
          'Or create a small school to try things out with: npm run partita -- demo\n',
      )
    }
  })
}
