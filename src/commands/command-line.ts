import { Command } from 'commander'
import { type Config, flagOf, readConfig, type SettingName, settings } from '../config.ts'
import { type AppContext, createContext } from '../context.ts'

/** What commands beside the server need to know: where the data is. */
const settingsOfData: readonly SettingName[] = ['dataDir', 'databaseUrl', 'publicUrl', 'logLevel']

export const everySetting = Object.keys(settings) as SettingName[]

/** A command with a flag for each of these settings. */
export function commandWithSettings(
  name: string,
  description: string,
  flags: readonly SettingName[] = settingsOfData,
): Command {
  const command = new Command(name).description(description)
  for (const name of flags) {
    const { name: variable, default: fallback, description } = settings[name]
    command.option(`--${flagOf(name)} <value>`, `${description} (${variable}${fallback && `, ${fallback}`})`)
  }
  return command.configureHelp({ sortOptions: false })
}

/**
 * The settings of a command line; flags stand before the environment.
 * @param names the settings that the command has flags for
 */
export function configOf(options: Record<string, unknown>, names: readonly SettingName[] = settingsOfData): Config {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of names) {
    const value = options[camelCase(flagOf(name))]
    if (typeof value === 'string') flags[name] = value
  }
  return readConfig(flags)
}

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())

/** Runs with everything but the server, and puts it away afterwards. Works beside a running server. */
export async function withContext(
  options: Record<string, unknown>,
  work: (ctx: AppContext) => Promise<void>,
): Promise<void> {
  const ctx = await createContext(configOf({ logLevel: 'warn', ...options }))
  try {
    await work(ctx)
  } finally {
    await ctx.close()
  }
}

/** Prints the one result of a command: a JSON object for scripts, else a sentence for people. */
export function print(options: Record<string, unknown>, result: object, sentence: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(result) : sentence}\n`)
}

/** The `--json` flag that every command with a result has. */
export const jsonFlag = ['--json', 'Print the result as one JSON object'] as const
