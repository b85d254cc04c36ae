import { Command } from 'commander'
import { appCommand } from './commands/app.ts'
import { configCommand } from './commands/config.ts'
import { demoCommand } from './commands/demo.ts'
import { migrateCommand } from './commands/migrate.ts'
import { openapiCommand } from './commands/openapi.ts'
import { organizationCommand } from './commands/organization.ts'
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
  appCommand(),
  migrateCommand(),
  configCommand(),
  openapiCommand(),
]) {
  program.addCommand(command)
}

try {
  await program.parseAsync()
} catch (error) {
  // What a person can mend is said in a sentence; a stack would not help.
  if (!(error instanceof Failure || error instanceof ConfigError)) throw error
  process.stderr.write(`partita: ${error.message}\n`)
  process.exitCode = 1
}
