import { Command, InvalidArgumentError } from 'commander'
import { isUniqueViolation } from '../db/violations.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/audit/audit.ts'
import { findOrganization } from '../features/organizations/store.ts'
import { endSignIns } from '../features/sessions/ending.ts'
import {
  checkProvider,
  type Provider,
  type ProviderRules,
  plainRules,
} from '../features/sign-in-providers/providers.ts'
import {
  deleteProvider,
  deleteProviderAccountsOf,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderOf,
  updateProvider,
} from '../features/sign-in-providers/store.ts'
import { loadUserId } from '../features/users/accounts.ts'
import { findUser } from '../features/users/store.ts'
import type { Queries } from '../db/database.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { readSecret } from './read-password.ts'

/** Where members of organizations sign in with accounts that they have elsewhere (docs/guides/sign-in-with-a-school-account.md). */
export function providerCommand(): Command {
  const add = withRules(
    commandWithSettings('add', 'Let the members of an organization sign in with their accounts of an OpenID provider')
      .argument('<name>', 'What it is called in addresses: small letters, digits and hyphens')
      .requiredOption('--organization <id>', 'Whose members it knows')
      .requiredOption('--issuer <address>', 'Its issuer, to the letter')
      .requiredOption('--label <text>', 'What people know it by: "Riverside account"')
      .requiredOption('--client-id <id>', 'What it calls this server'),
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
        client_secret: await readSecret(options.clientSecret, 'client secret'),
        rules: { ...plainRules, ...rulesIn(options) },
        created_at: ctx.clock.now(),
      }
      checkProvider(provider)
      await ctx
        .transaction(async (tx) => {
          await insertProvider(tx, provider)
          const details = { provider: name, issuer }
          await audit(tx, ctx, { organization, actor: null, action: 'provider.added', subject: null, details })
        })
        .catch((error) => {
          if (isUniqueViolation(error)) fail('INVALID_PARAMETER', { message: `There is a provider ${name} already.` })
          throw error
        })
      const { publicUrl } = ctx.config
      const redirectUri = `${publicUrl}/auth/oidc/${name}/callback`
      const signIn = `${publicUrl}/auth/oidc/${name}`
      const sentence = `Added ${name}. Tell the provider this redirect address: ${redirectUri}\nIt is on the page to sign in, and at ${signIn}.`
      print(options, { name, redirectUri, signIn }, sentence)
    })
  })

  const update = withRules(
    commandWithSettings('update', 'Change what is given of a provider')
      .argument('<name>')
      .option('--label <text>', 'What people know it by')
      .option('--client-id <id>', 'What it calls this server')
      .option('--ask-secret', 'Ask for another client secret, or read it from standard input'),
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
          client_secret: secret ?? known.client_secret,
          rules: { ...known.rules, ...rulesIn(options) },
        }
        checkProvider(provider)
        await updateProvider(tx, provider)
        const { organization_id: organization } = known
        const details = { provider: name }
        await audit(tx, ctx, { organization, actor: null, action: 'provider.changed', subject: null, details })
      })
      print(options, { name }, `Changed ${name}.`)
    })
  })

  const list = commandWithSettings('list', 'Show the providers that there are')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const providers = (await listProviders(ctx.db.read)).map(shown)
        const lines = providers.map(({ name, label, organization, issuer, ...rules }) => {
          const said = Object.entries(rules).map(([rule, value]) => `\n    ${rule}: ${value}`)
          return `${name}: “${label}” of ${organization}, ${issuer}${said.join('')}`
        })
        print(options, { providers }, lines.join('\n') || 'There are none.')
      })
    })

  const remove = commandWithSettings('remove', 'Let nobody sign in with a provider any more; its people are signed out')
    .argument('<name>')
    .option(...jsonFlag)
    .action(async (name: string, options) => {
      await withContext(options, async (ctx) => {
        await ctx.transaction(async (tx) => {
          const { organization_id: organization } = await loadProvider(tx, name)
          await deleteProvider(tx, name)
          const details = { provider: name }
          await audit(tx, ctx, { organization, actor: null, action: 'provider.removed', subject: null, details })
        })
        print(options, { name }, `Removed ${name}. The accounts of its people stay.`)
      })
    })

  const unlink = commandWithSettings(
    'unlink',
    'Forget with which account of a provider somebody signs in, and sign them out',
  )
    .argument('<user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (asked: string, options) => {
      await withContext(options, async (ctx) => {
        const count = await ctx.transaction(async (tx) => {
          const id = await loadUserId(tx, asked)
          const count = await deleteProviderAccountsOf(tx, id)
          // Whoever has come by it may be somebody else.
          if (count > 0) await endSignIns(tx, id)
          const organization = (await findUser(tx, { id }))?.organization_id ?? null
          await audit(tx, ctx, { organization, actor: null, action: 'user.unlinked-from-providers', subject: id })
          return count
        })
        print(
          options,
          { unlinked: count },
          `${asked} was linked with ${count} accounts elsewhere, and is with none now.${count > 0 ? ' Nobody is signed in to it any more, by tokens and apps neither.' : ''}`,
        )
      })
    })

  return new Command('provider')
    .description('Signing in with an account of the school')
    .addCommand(add)
    .addCommand(update)
    .addCommand(list)
    .addCommand(remove)
    .addCommand(unlink)
}

function withRules(command: Command): Command {
  return command
    .option('--client-secret <secret>', 'Asked for, or read from standard input, if not given')
    .option('--domains <domains>', 'Let in only addresses in these domains, separated by commas', readWords)
    .option('--address-claim <claim>', 'The claim that has the address (email)')
    .option(
      '--trust-addresses <true|false>',
      'Take addresses in the domains as verified where it does not say',
      readBoolean,
    )
    .option('--create <true|false>', 'Make accounts for people whom nobody knows here', readBoolean)
    .option('--role-claim <claim>', 'The claim that says what somebody will be whose account is made')
    .option('--teachers <values>', 'Its values that mean a teacher, separated by commas', readWords)
    .option('--admins <values>', 'Its values that mean an administrator', readWords)
    .option(
      '--prompt <prompt>',
      'What it shall ask who is signed in there already: login, select_account, none',
      readPrompt,
    )
    .option('--listed <true|false>', 'Whether it is on the page to sign in', readBoolean)
    .option('--own-network <true|false>', 'Whether its host may have a private address', readBoolean)
    .option(...jsonFlag)
}

/** The rules that are given. */
function rulesIn(options: Record<string, unknown>): Partial<ProviderRules> {
  const { domains, addressClaim, trustAddresses, create, roleClaim, teachers, admins, prompt, listed, ownNetwork } =
    options
  const given = {
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
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function loadProvider(queries: Queries, name: string): Promise<ProviderOf> {
  const provider = await findProvider(queries, name)
  return provider ?? fail('INVALID_PARAMETER', { message: `There is no provider ${name}.` })
}

/** All but the secret. */
const shown = ({ name, label, organization_id: organization, issuer, client_id: clientId, rules }: ProviderOf) => ({
  name,
  label,
  organization,
  issuer,
  clientId,
  ...rules,
})

function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('"true" or "false" is expected.')
  return text === 'true'
}

const readWords = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

function readPrompt(text: string): string {
  if (!/^(login|select_account|none)$/.test(text)) throw new InvalidArgumentError('login, select_account or none.')
  return text
}
