import { Command, InvalidArgumentError } from 'commander'
import { type Config, flagOf, readConfig, type SettingName, settings } from '../config.ts'
import { type AppContext, createContext } from '../create-context.ts'

/** The settings of every command except `serve`: where the data is. */
const settingsOfData: readonly SettingName[] = ['dataDir', 'databaseUrl', 'publicUrl', 'logLevel']

export const everySetting = Object.keys(settings) as SettingName[]

/** Creates a command with a flag for each of these settings. */
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
 * Reads the settings of a command. Flags override the environment.
 * @param names the settings that the command has flags for
 */
export function configOf(
  options: Record<string, unknown>,
  names: readonly SettingName[] = settingsOfData,
): Config {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of names) {
    const value = options[camelCase(flagOf(name))]
    if (typeof value === 'string') flags[name] = value
  }
  return readConfig(flags)
}

const camelCase = (flag: string) =>
  flag.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())

/** Runs `work` with a context, without a server, and closes it afterwards. Another server may be running. */
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

/** Prints the result of a command: a JSON object with `--json`, otherwise a sentence. */
export function print(options: Record<string, unknown>, result: object, sentence: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(result) : sentence}\n`)
}

/** The `--json` flag that every command with a result has. */
export const jsonFlag = ['--json', 'Print the result as one JSON object'] as const

/** Reads the value of an option that is `true` or `false`. */
export function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Expected "true" or "false".')
  return text === 'true'
}
