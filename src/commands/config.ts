import type { Command } from 'commander'
import { settings } from '../config.ts'
import { commandWithSettings, configOf, everySetting } from './command-line.ts'

export function configCommand(): Command {
  return commandWithSettings('config', 'Print every setting with its value and description', everySetting)
    .option('--json', 'Print the values as one JSON object')
    .action((options) => {
      const config = configOf(options, everySetting)
      const { databaseUrl, smtpUrl } = config
      const shown = {
        ...config,
        databaseUrl: databaseUrl && withoutPassword(databaseUrl),
        smtpUrl: smtpUrl && withoutPassword(smtpUrl),
      }
      if (options.json) {
        process.stdout.write(`${JSON.stringify(shown)}\n`)
        return
      }
      for (const name of everySetting) {
        process.stdout.write(
          `# ${settings[name].description}\n${settings[name].name}=${shown[name] ?? ''}\n\n`,
        )
      }
    })
}

function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (!url) return '[invalid address]'
  if (url.password) url.password = '…'
  return url.href
}
