import { Command, InvalidArgumentError } from 'commander'
import { isUniqueViolation } from '../platform/db/violations.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/people/audit/audit.ts'
import { findOrganization } from '../features/people/organizations/store.ts'
import { revokeAllSignIns } from '../auth/sessions/revocation.ts'
import { sealClientSecret } from '../auth/providers/client-secrets.store.ts'
import { checkProvider, type Provider, type ProviderRules, plainRules } from '../auth/providers/providers.ts'
import { checkProviderRule } from '../features/people/settings/change.ts'
import {
  deleteProvider,
  deleteProviderAccountsOf,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderOf,
  updateProvider,
} from '../auth/providers/store.ts'
import { loadUserId } from '../features/people/users/accounts.ts'
import type { Queries } from '../platform/db/database.ts'
import { commandWithSettings, jsonFlag, print, readBoolean, withContext } from './command-line.ts'
import { readSecret } from './read-password.ts'

/** Manages the OpenID providers of organizations (docs/guides/sign-in-with-a-school-account.md). */
export function providerCommand(): Command {
  const add = withRules(
    commandWithSettings('add', 'Add an OpenID provider for the members of an organization')
      .argument('<name>', 'Name in addresses: lower-case letters, digits and hyphens')
      .requiredOption('--organization <id>', 'The organization of its users')
      .requiredOption('--issuer <address>', 'The exact issuer address of the provider')
      .requiredOption('--label <text>', 'Name on the sign-in page, such as "Riverside account"')
      .requiredOption('--client-id <id>', 'Client id of this server at the provider'),
  ).action(async (name: string, options) => {
    await withContext(options, async (ctx) => {
      const { organization, issuer, label, clientId } = options
      if (!(await findOrganization(ctx.db.read, organization))) fail('ORGANIZATION_NOT_FOUND')
      const provider: Provider = {
        name,
        organization_id: organization,
        label,
        issuer,
        client_id: clientId,
        client_secret: sealClientSecret(ctx, name, await readSecret(options.clientSecret, 'client secret')),
        rules: { ...plainRules, ...rulesIn(options) },
        created_at: ctx.clock.now(),
      }
      checkProvider(provider)
      await ctx
        .transaction(async (tx) => {
          await insertProvider(tx, provider)
          const details = { provider: name, issuer }
          await audit(tx, ctx, {
            organization,
            actor: null,
            action: 'provider.added',
            subject: null,
            details,
          })
        })
        .catch((error) => {
          if (isUniqueViolation(error))
            fail('INVALID_PARAMETER', { message: `A provider named ${name} exists already.` })
          throw error
        })
      const { publicUrl } = ctx.config
      const redirectUri = `${publicUrl}/auth/oidc/${name}/callback`
      const signIn = `${publicUrl}/auth/oidc/${name}`
      const sentence = `Added ${name}. Register this redirect address at the provider: ${redirectUri}\nUsers sign in on the sign-in page, or at ${signIn}.`
      print(options, { name, redirectUri, signIn }, sentence)
    })
  })

  const update = withRules(
    commandWithSettings('update', 'Change the configuration of a provider')
      .argument('<name>')
      .option('--label <text>', 'Name on the sign-in page')
      .option('--client-id <id>', 'Client id of this server at the provider')
      .option('--ask-secret', 'Prompt for a new client secret, or read it from standard input'),
  ).action(async (name: string, options) => {
    await withContext(options, async (ctx) => {
      const { label, clientId, clientSecret, askSecret } = options
      const secret = clientSecret ?? (askSecret ? await readSecret(undefined, 'client secret') : undefined)
      await ctx.transaction(async (tx) => {
        const known = await loadProvider(tx, name)
        const provider = {
          ...known,
          label: label ?? known.label,
          client_id: clientId ?? known.client_id,
          client_secret: secret === undefined ? known.client_secret : sealClientSecret(ctx, name, secret),
          rules: { ...known.rules, ...rulesIn(options) },
        }
        checkProvider(provider)
        await updateProvider(tx, provider)
        const { organization_id: organization } = known
        const details = { provider: name }
        await audit(tx, ctx, {
          organization,
          actor: null,
          action: 'provider.changed',
          subject: null,
          details,
        })
      })
      print(options, { name }, `Changed ${name}.`)
    })
  })

  const list = commandWithSettings('list', 'List all providers')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const providers = (await listProviders(ctx.db.read)).map(shown)
        const lines = providers.map(({ name, label, organization, issuer, ...rules }) => {
          const lines = Object.entries(rules).map(([rule, value]) => `\n    ${rule}: ${value}`)
          return `${name}: “${label}” of ${organization}, ${issuer}${lines.join('')}`
        })
        print(options, { providers }, lines.join('\n') || 'No providers.')
      })
    })

  const remove = commandWithSettings('remove', 'Remove a provider and sign its users out')
    .argument('<name>')
    .option(...jsonFlag)
    .action(async (name: string, options) => {
      await withContext(options, async (ctx) => {
        await ctx.transaction(async (tx) => {
          const { organization_id: organization } = await loadProvider(tx, name)
          await deleteProvider(tx, name)
          await checkProviderRule(tx, organization)
          const details = { provider: name }
          await audit(tx, ctx, {
            organization,
            actor: null,
            action: 'provider.removed',
            subject: null,
            details,
          })
        })
        print(options, { name }, `Removed ${name}. The accounts of its users stay.`)
      })
    })

  const unlink = commandWithSettings(
    'unlink',
    'Remove the provider accounts of a user, and sign the user out',
  )
    .argument('<user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const count = await ctx.transaction(async (tx) => {
          const id = await loadUserId(tx, idOrName)
          const count = await deleteProviderAccountsOf(tx, id)
          // Existing sessions may belong to a different person.
          if (count > 0) await revokeAllSignIns(ctx, tx, id)
          await audit(tx, ctx, {
            organization: { of: id },
            actor: null,
            action: 'user.unlinked-from-providers',
            subject: id,
          })
          return count
        })
        print(
          options,
          { unlinked: count },
          `Removed ${count} provider accounts of ${idOrName}.${count > 0 ? ' All sessions and tokens of the user have ended, including those of apps.' : ''}`,
        )
      })
    })

  return new Command('provider')
    .description('OpenID providers for school accounts')
    .addCommand(add)
    .addCommand(update)
    .addCommand(list)
    .addCommand(remove)
    .addCommand(unlink)
}

function withRules(command: Command): Command {
  return command
    .option('--client-secret <secret>', 'Prompted for, or read from standard input, if not given')
    .option(
      '--domains <domains>',
      'Accept only e-mail addresses in these domains, separated by commas',
      readWords,
    )
    .option('--address-claim <claim>', 'The claim with the e-mail address (email)')
    .option(
      '--trust-addresses <true|false>',
      'Treat addresses in the domains as verified if the provider does not say',
      readBoolean,
    )
    .option('--create <true|false>', 'Create accounts for unknown users', readBoolean)
    .option('--role-claim <claim>', 'The claim that determines the role of a created account')
    .option('--teachers <values>', 'Values of the claim for teachers, separated by commas', readWords)
    .option('--admins <values>', 'Values of the claim for administrators, separated by commas', readWords)
    .option(
      '--prompt <prompt>',
      'Prompt for users with a session at the provider: login, select_account, none',
      readPrompt,
    )
    .option('--listed <true|false>', 'Whether to show the provider on the sign-in page', readBoolean)
    .option(
      '--own-network <true|false>',
      'Whether the provider may have a private network address',
      readBoolean,
    )
    .option(...jsonFlag)
}

/** The rules in the options. */
function rulesIn(options: Record<string, unknown>): Partial<ProviderRules> {
  const {
    domains,
    addressClaim,
    trustAddresses,
    create,
    roleClaim,
    teachers,
    admins,
    prompt,
    listed,
    ownNetwork,
  } = options
  const rules = {
    domains,
    addressClaim,
    trustsAddresses: trustAddresses,
    createsAccounts: create,
    roleClaim,
    teacherValues: teachers,
    adminValues: admins,
    prompt: prompt === 'none' ? null : prompt,
    isListed: listed,
    isInner: ownNetwork,
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))
}

async function loadProvider(queries: Queries, name: string): Promise<ProviderOf> {
  const provider = await findProvider(queries, name)
  return provider ?? fail('INVALID_PARAMETER', { message: `There is no provider ${name}.` })
}

/** The provider without its secret. */
const shown = ({
  name,
  label,
  organization_id: organization,
  issuer,
  client_id: clientId,
  rules,
}: ProviderOf) => ({
  name,
  label,
  organization,
  issuer,
  clientId,
  ...rules,
})

const readWords = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

function readPrompt(text: string): string {
  if (!/^(login|select_account|none)$/.test(text))
    throw new InvalidArgumentError('Expected login, select_account or none.')
  return text
}
