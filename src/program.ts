import { Command, CommanderError } from 'commander'
import { ConfigError } from './config.ts'
import { Failure } from './errors.ts'
import { appCommand } from './commands/app.ts'
import { auditLogCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { configCommand } from './commands/config.ts'
import { demoCommand } from './commands/demo.ts'
import { importCommand } from './commands/import.ts'
import { migrateCommand } from './commands/migrate.ts'
import { openapiCommand } from './commands/openapi.ts'
import { organizationCommand } from './commands/organization.ts'
import { providerCommand } from './commands/provider.ts'
import { restoreCommand } from './commands/restore.ts'
import { serveCommand } from './commands/serve.ts'
import { statusCommand } from './commands/status.ts'
import { secretsCommand } from './commands/secrets.ts'
import { webhookCommand } from './commands/webhook.ts'
import { tokenCommand } from './commands/token.ts'
import { userCommand } from './commands/user.ts'

/**
 * Runs one command of the program. It reads settings from the environment, and writes to the standard streams.
 * @param words the words after `partita`, such as `['user', 'create', '--username', 'ada']`
 * @returns the exit code of the process
 * @throws errors that are bugs, so that the process prints their stack
 */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed the message or the help.
    if (error instanceof CommanderError) return error.exitCode
    if (!isForUser(error)) throw error
    process.stderr.write(`partita: ${error.message}\n`)
    return 1
  }
}

function createProgram(): Command {
  const program = new Command('partita')
    .description('An open, self-hosted music score and education service')
    .showHelpAfterError()
  for (const command of [
    serveCommand(),
    statusCommand(),
    demoCommand(),
    userCommand(),
    tokenCommand(),
    organizationCommand(),
    providerCommand(),
    webhookCommand(),
    secretsCommand(),
    importCommand(),
    appCommand(),
    auditLogCommand(),
    backupCommand(),
    restoreCommand(),
    migrateCommand(),
    configCommand(),
    openapiCommand(),
  ]) {
    program.addCommand(command)
  }
  throwInsteadOfExit(program)
  return program
}

/** Commands do not inherit this setting. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/** Whether to show only the message of the error. Bugs in the program are shown with their stack. */
function isForUser(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return error.constructor === Error || error instanceof Failure || error instanceof ConfigError
}
