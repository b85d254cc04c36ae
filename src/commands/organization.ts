import { Command, InvalidArgumentError } from 'commander'
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
    .option(...jsonFlag)
    .action(async (id, options) => {
      await withContext(options, async (ctx) => {
        const { maxClasses, maxSeats, maxStorage, retentionDays } = options
        const { allowSignUpByCode, allowPublicScores, teachersResetPasswords } = options
        const limits = { maxClasses, maxSeats, maxStorage, retentionDays }
        const changed = { ...limits, allowSignUpByCode, allowPublicScores, teachersResetPasswords }
        const change = changeOf(changed)
        if (Object.keys(change).length === 0) {
          fail('INVALID_PARAMETER', {
            message: `One of ${update.options.map(({ long }) => long).join(', ')} is required`,
          })
        }
        await ctx.transaction(async (tx) => {
          if (!(await updateOrganization(tx, id, change))) fail('ORGANIZATION_NOT_FOUND')
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
        const members = await countSeats(ctx.db.read, id)
        const storage = await storageOfOrganization(ctx, ctx.db.read, organization)
        print(
          options,
          { id, name, maxClasses, maxSeats, members, storage },
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
}

function changeOf(options: Options): OrganizationChange {
  const { maxClasses, maxSeats, retentionDays, allowSignUpByCode, allowPublicScores } = options
  const { maxStorage, teachersResetPasswords } = options
  const change: OrganizationChange = {}
  if (maxClasses !== undefined) change.max_classes = limitOf(maxClasses)
  if (maxSeats !== undefined) change.max_seats = limitOf(maxSeats)
  if (maxStorage !== undefined) change.max_storage = storageLimitOf(maxStorage)
  if (retentionDays !== undefined) change.retention_days = retentionDays
  if (allowSignUpByCode !== undefined) change.allows_sign_up_by_code = flagOf(allowSignUpByCode)
  if (allowPublicScores !== undefined) change.allows_public_scores = flagOf(allowPublicScores)
  if (teachersResetPasswords !== undefined)
    change.allows_teachers_to_set_passwords = flagOf(teachersResetPasswords)
  return change
}

const flagOf = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0)

const limitOf = (limit: number | 'unlimited'): number | null => (limit === 'unlimited' ? null : limit)

/** Returns 'unlimited' instead of null: commander treats null as an option without a value. */
function readLimit(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number or "unlimited".')
  return Number(text)
}

function readDays(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of days.')
  return Number(text)
}
