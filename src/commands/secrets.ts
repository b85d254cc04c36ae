import { Command } from 'commander'
import { secretsFile } from '../create-context.ts'
import { encryptAgain } from '../features/people/webhooks/encryption.ts'
import { addKey, readKeyFile } from '../platform/secrets/key-file.ts'
import { commandWithSettings, configOf, jsonFlag, print, withContext } from './command-line.ts'

/** Manages the key that encrypts stored secrets (docs/webhooks.md). */
export function secretsCommand(): Command {
  const encrypt = commandWithSettings('encrypt', 'Encrypt all stored secrets with the current key')
    .option(...jsonFlag)
    .action((options) => encryptAll(options))

  const rotate = commandWithSettings(
    'rotate',
    'Put a new key first in DATA_DIR/secrets.key, and encrypt all stored secrets with it',
  )
    .option(...jsonFlag)
    .action(async (options) => {
      const config = configOf(options)
      if (config.secretsKey.length > 0)
        throw new Error(
          'SECRETS_KEY has the keys. Put a new one first there, and run `partita secrets encrypt`.',
        )
      const path = secretsFile(config)
      readKeyFile(path)
      addKey(path)
      await encryptAll(options)
    })

  return new Command('secrets')
    .description('The key that encrypts stored secrets of other systems')
    .addCommand(encrypt)
    .addCommand(rotate)
}

const encryptAll = (options: Record<string, unknown>) =>
  withContext(options, async (ctx) => {
    const encrypted = await encryptAgain(ctx)
    print(options, { encrypted }, `Encrypted ${encrypted} secrets with the current key.`)
  })
