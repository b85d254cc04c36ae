import { Command } from 'commander'
import { secretsFile } from '../create-context.ts'
import { clientSecrets } from '../auth/providers/client-secrets.store.ts'
import { totpSecrets } from '../auth/second-factor/totp-secrets.store.ts'
import type { Context } from '../context.ts'
import { webhookSecrets } from '../features/people/webhooks/encryption.ts'
import { addKey, readKeyFile } from '../platform/secrets/key-file.ts'
import { SecretError } from '../platform/secrets/secret-box.ts'
import type { SecretRows } from '../platform/secrets/secret-rows.ts'
import { commandWithSettings, configOf, jsonFlag, print, withContext } from './command-line.ts'

/** Manages the key that encrypts stored secrets (docs/guides/key-for-secrets.md). */
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
    .description('The key that encrypts stored secrets of webhooks, authenticator apps and sign-in providers')
    .addCommand(encrypt)
    .addCommand(rotate)
}

const atATime = 100

const encryptAll = (options: Record<string, unknown>) =>
  withContext(options, async (ctx) => {
    const counts = [
      await encryptRows(ctx, webhookSecrets),
      await encryptRows(ctx, totpSecrets),
      await encryptRows(ctx, clientSecrets),
    ]
    const encrypted = counts.reduce((sum, { changed }) => sum + changed, 0)
    const failures = counts.flatMap(({ failures }) => failures)
    if (failures.length > 0)
      throw new Error(
        `Encrypted ${encrypted} secrets with the current key, but could not decrypt ${failures.length}. The first problem: ${failures[0]?.message}`,
      )
    print(options, { encrypted }, `Encrypted ${encrypted} secrets with the current key.`)
  })

/** Encrypts the secrets of all rows with the current key. Returns how many had another one or none, and the secrets that stay. */
async function encryptRows<Row>(
  ctx: Context,
  rows: SecretRows<Row>,
): Promise<{ changed: number; failures: readonly SecretError[] }> {
  let changed = 0
  const failures: SecretError[] = []
  let after = ''
  for (;;) {
    const { listed, ...part } = await ctx.transaction(async (tx) => {
      const listed = await rows.list(tx, after, atATime)
      let changed = 0
      const failures: SecretError[] = []
      for (const row of listed) {
        try {
          if (await rows.encrypt(ctx.secrets, tx, row)) changed++
        } catch (error) {
          if (!(error instanceof SecretError)) throw error
          failures.push(error)
        }
      }
      return { listed, changed, failures }
    })
    changed += part.changed
    failures.push(...part.failures)
    const last = listed.at(-1)
    if (!last) return { changed, failures }
    after = rows.keyOf(last)
  }
}
