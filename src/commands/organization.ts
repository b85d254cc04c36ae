import { Command, InvalidArgumentError } from 'commander'
import { deleteSignInsOfMembers } from '../auth/sessions/store.ts'
import { loadRelyingParty } from '../auth/passkeys/relying-party.ts'
import { checkProviderRule } from './provider-rule.ts'
import { day, hour } from '../lib/durations.ts'
import { fail } from '../errors.ts'
import { storageOfOrganization } from '../features/people/storage/quota.ts'
import { audit } from '../features/people/audit/audit.ts'
import {
  countSeats,
  findOrganization,
  insertOrganization,
  newOrganization,
  type OrganizationChange,
  updateOrganization,
} from '../features/people/organizations/store.ts'
import {
  readStorage,
  type StorageLimit,
  storageHelp,
  storageLimitOf,
  storageSentence,
} from './storage-option.ts'
import { commandWithSettings, jsonFlag, print, readBoolean, withContext } from './command-line.ts'

export function organizationCommand(): Command {
  const create = commandWithSettings('create', 'Create an organization, such as a school or a company')
    .requiredOption('--name <name>')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const id = ctx.newId()
        await ctx.transaction(async (tx) => {
          await insertOrganization(tx, newOrganization(id, options.name, ctx.clock.now()))
          await audit(tx, ctx, { organization: id, actor: null, action: 'organization.created', subject: id })
        })
        print(options, { id, name: options.name }, `Created ${options.name} (${id}).`)
      })
    })

  const update = commandWithSettings('update', 'Change the limits and permissions of an organization')
    .argument('<id>')
    .option(
      '--max-classes <count>',
      'Maximum number of classes that are not archived, or "unlimited"',
      readLimit,
    )
    .option(
      '--max-seats <count>',
      'Maximum number of members without test students, or "unlimited"',
      readLimit,
    )
    .option('--max-storage <size>', storageHelp, readStorage)
    .option('--retention-days <days>', 'Days for which a removed member can be restored', readDays)
    .option(
      '--allow-sign-up-by-code <true|false>',
      'Whether invitation codes can be used to create accounts',
      readBoolean,
    )
    .option(
      '--allow-public-scores <true|false>',
      'Whether members may make scores public or share them by link outside the organization',
      readBoolean,
    )
    .option(
      '--teachers-reset-passwords <true|false>',
      'Whether teachers may set the passwords of students in their classes',
      readBoolean,
    )
    .option(
      '--require-second-factor <true|false>',
      'Whether administrators and teachers must set up a second factor before anything else',
      readBoolean,
    )
    .option(
      '--require-passkey <true|false>',
      'Whether administrators and teachers must have a passkey, and sign in with it',
      readBoolean,
    )
    .option(
      '--require-provider <true|false>',
      'Whether members can sign in only through a provider of the organization; true ends their sessions',
      readBoolean,
    )
    .option(
      '--max-session-hours <hours>',
      'Maximum age of the sessions of members, or "unlimited" (14 days)',
      readLifetime,
    )
    .option(
      '--max-token-days <days>',
      'Maximum age of the tokens and app authorizations of members, or "unlimited"',
      readLifetime,
    )
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        const { maxClasses, maxSeats, maxStorage, retentionDays } = options
        const { allowSignUpByCode, allowPublicScores, teachersResetPasswords } = options
        const limits = { maxClasses, maxSeats, maxStorage, retentionDays }
        const { requireSecondFactor, requirePasskey, requireProvider } = options
        const { maxSessionHours, maxTokenDays } = options
        const required = { requireSecondFactor, requirePasskey, requireProvider }
        const rules = { ...required, maxSessionHours, maxTokenDays }
        const changed = { ...limits, allowSignUpByCode, allowPublicScores, teachersResetPasswords, ...rules }
        const change = changeOf(changed)
        if (Object.keys(change).length === 0) {
          fail('INVALID_PARAMETER', {
            message: `One of ${update.options.map(({ long }) => long).join(', ')} is required`,
          })
        }
        if (requirePasskey) loadRelyingParty(ctx.config)
        await ctx.transaction(async (tx) => {
          if (!(await updateOrganization(tx, id, change))) fail('ORGANIZATION_NOT_FOUND')
          await checkProviderRule(tx, id)
          // They may have been made by password.
          if (requireProvider) await deleteSignInsOfMembers(tx, id)
          const event = { organization: id, actor: null, subject: id, details: changed }
          await audit(tx, ctx, { ...event, action: 'organization.updated' })
        })
        print(options, { id, ...changed }, `Changed ${id}.`)
      })
    })

  const show = commandWithSettings('show', 'Show an organization: its limits, members and storage')
    .argument('<id>')
    .option(...jsonFlag)
    .action(async (id: string, options) => {
      await withContext(options, async (ctx) => {
        const organization = (await findOrganization(ctx.db.read, id)) ?? fail('ORGANIZATION_NOT_FOUND')
        const { name, max_classes: maxClasses, max_seats: maxSeats } = organization
        const { max_session_ms, max_token_ms } = organization
        const rules = {
          requireSecondFactor: organization.requires_second_factor === 1,
          requirePasskey: organization.requires_passkey === 1,
          requireProvider: organization.requires_provider === 1,
          maxSessionHours: max_session_ms && max_session_ms / hour,
          maxTokenDays: max_token_ms && max_token_ms / day,
        }
        const members = await countSeats(ctx.db.read, id)
        const storage = await storageOfOrganization(ctx, ctx.db.read, organization)
        print(
          options,
          { id, name, maxClasses, maxSeats, members, storage, ...rules },
          `${name} (${id}) has ${members} members. ${storageSentence(storage)}`,
        )
      })
    })

  return new Command('organization')
    .description('Organizations')
    .addCommand(create)
    .addCommand(show)
    .addCommand(update)
}

interface Options {
  maxClasses?: number | 'unlimited'
  maxSeats?: number | 'unlimited'
  maxStorage?: StorageLimit
  retentionDays?: number
  allowSignUpByCode?: boolean
  allowPublicScores?: boolean
  teachersResetPasswords?: boolean
  requireSecondFactor?: boolean
  requirePasskey?: boolean
  requireProvider?: boolean
  maxSessionHours?: number | 'unlimited'
  maxTokenDays?: number | 'unlimited'
}

function changeOf(options: Options): OrganizationChange {
  const { maxClasses, maxSeats, retentionDays, allowSignUpByCode, allowPublicScores } = options
  const { maxStorage, teachersResetPasswords } = options
  const { requireSecondFactor, requirePasskey, requireProvider, maxSessionHours, maxTokenDays } = options
  const change: OrganizationChange = {}
  if (maxClasses !== undefined) change.max_classes = limitOf(maxClasses)
  if (maxSeats !== undefined) change.max_seats = limitOf(maxSeats)
  if (maxStorage !== undefined) change.max_storage = storageLimitOf(maxStorage)
  if (retentionDays !== undefined) change.retention_days = retentionDays
  if (allowSignUpByCode !== undefined) change.allows_sign_up_by_code = flagOf(allowSignUpByCode)
  if (allowPublicScores !== undefined) change.allows_public_scores = flagOf(allowPublicScores)
  if (teachersResetPasswords !== undefined)
    change.allows_teachers_to_set_passwords = flagOf(teachersResetPasswords)
  if (requireSecondFactor !== undefined) change.requires_second_factor = flagOf(requireSecondFactor)
  if (requirePasskey !== undefined) change.requires_passkey = flagOf(requirePasskey)
  if (requireProvider !== undefined) change.requires_provider = flagOf(requireProvider)
  if (maxSessionHours !== undefined) change.max_session_ms = limitOf(maxSessionHours, hour)
  if (maxTokenDays !== undefined) change.max_token_ms = limitOf(maxTokenDays, day)
  return change
}

const flagOf = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0)

const limitOf = (limit: number | 'unlimited', unit = 1): number | null =>
  limit === 'unlimited' ? null : limit * unit

/** Returns 'unlimited' instead of null: commander treats null as an option without a value. */
function readLimit(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number or "unlimited".')
  return Number(text)
}

function readLifetime(text: string): number | 'unlimited' {
  const lifetime = readLimit(text)
  if (lifetime === 0 || Number(lifetime) > 99_999)
    throw new InvalidArgumentError('Expected a whole number from 1 to 99999, or "unlimited".')
  return lifetime
}

function readDays(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of days.')
  return Number(text)
}
