import { Command } from 'commander'
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
import { tokenCommand } from './commands/token.ts'
import { userCommand } from './commands/user.ts'
import { ConfigError } from './config.ts'
import { Failure } from './errors.ts'

const program = new Command('partita')
  .description('An open, self-hosted music score and education service')
  .showHelpAfterError()

for (const command of [
  serveCommand(),
  demoCommand(),
  userCommand(),
  tokenCommand(),
  organizationCommand(),
  providerCommand(),
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

try {
  await program.parseAsync()
} catch (error) {
  if (!isForUser(error)) throw error
  process.stderr.write(`partita: ${error.message}\n`)
  process.exitCode = 1
}

/** Whether to show only the message of the error. Bugs in the program are shown with their stack. */
function isForUser(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return error.constructor === Error || error instanceof Failure || error instanceof ConfigError
}
