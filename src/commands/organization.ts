import { Command, InvalidArgumentError, Option } from 'commander'
import { organizationRules, type RuleName, ruleNames } from '../contract/organization-rules.ts'
import { changeSettings } from '../features/people/settings/change.ts'
import { rulesOf } from '../features/people/settings/rules.ts'
import { fail } from '../errors.ts'
import { dateTime } from '../lib/date-time.ts'
import { storageOfOrganization } from '../features/people/storage/quota.ts'
import { audit } from '../features/people/audit/audit.ts'
import {
  countSeats,
  findOrganization,
  insertOrganization,
  newOrganization,
  type OrganizationChange,
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
    .option(
      '--license-expires <day>',
      'Last day of the licence (UTC), such as 2031-07-31, or "never"',
      readLastDay,
    )
    .option('--retention-days <days>', 'Days for which a removed member can be restored', readDays)
    .option(...jsonFlag)
  for (const name of ruleNames) update.addOption(ruleOption(name))
  update.action(async (id, options) => {
    await withContext(options, async (ctx) => {
      const { maxClasses, maxSeats, maxStorage, licenseExpires, retentionDays } = options
      const values = { maxClasses, maxSeats, maxStorage, licenseExpires, retentionDays }
      const limits = columnsOfLimits(values)
      const given = ruleNames.filter((name) => options[name] !== undefined)
      const asGiven = Object.fromEntries(given.map((name) => [name, options[name]]))
      const rules = Object.fromEntries(
        given.map((name) => [name, options[name] === 'unlimited' ? null : options[name]]),
      )
      const details = { ...values, ...asGiven }
      if (given.length === 0 && Object.keys(limits).length === 0) {
        fail('INVALID_PARAMETER', {
          message: `One of ${update.options.map(({ long }) => long).join(', ')} is required`,
        })
      }
      await ctx.transaction((tx) =>
        changeSettings(ctx, tx, { organization: id, by: null, rules, limits, details }),
      )
      print(options, { id, ...details }, `Changed ${id}.`)
    })
  })

  const show = commandWithSettings('show', 'Show an organization: its limits, members and storage')
    .argument('<id>')
    .option(...jsonFlag)
    .action(async (id: string, options) => {
      await withContext(options, async (ctx) => {
        const organization = (await findOrganization(ctx.db.read, id)) ?? fail('ORGANIZATION_NOT_FOUND')
        const { name, max_classes: maxClasses, max_seats: maxSeats, license_expires_at: end } = organization
        const licenseExpires = end === null ? 'never' : dateTime(end).slice(0, 10)
        const members = await countSeats(ctx.db.read, id)
        const storage = await storageOfOrganization(ctx, ctx.db.read, organization)
        print(
          options,
          { id, name, maxClasses, maxSeats, licenseExpires, members, storage, ...rulesOf(organization) },
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

interface Limits {
  maxClasses?: number | 'unlimited'
  maxSeats?: number | 'unlimited'
  maxStorage?: StorageLimit
  licenseExpires?: string
  retentionDays?: number
}

function columnsOfLimits(limits: Limits): OrganizationChange {
  const { maxClasses, maxSeats, maxStorage, licenseExpires, retentionDays } = limits
  const change: OrganizationChange = {}
  if (maxClasses !== undefined) change.max_classes = limitOf(maxClasses)
  if (maxSeats !== undefined) change.max_seats = limitOf(maxSeats)
  if (maxStorage !== undefined) change.max_storage = storageLimitOf(maxStorage)
  if (licenseExpires !== undefined) change.license_expires_at = endOfDay(licenseExpires)
  if (retentionDays !== undefined) change.retention_days = retentionDays
  return change
}

const limitOf = (limit: number | 'unlimited'): number | null => (limit === 'unlimited' ? null : limit)

/** Returns the last millisecond of a day; null for never. */
const endOfDay = (text: string): number | null =>
  text === 'never' ? null : Date.parse(`${text}T23:59:59.999Z`)

function readLastDay(text: string): string {
  if (text === 'never') return text
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(endOfDay(text)))
    throw new InvalidArgumentError('Expected a day such as 2031-07-31, or "never".')
  return text
}

/** Returns the option of a rule: `--require-second-factor <true|false>`, `--max-session-hours <number>`. */
function ruleOption(name: RuleName): Option {
  const rule = organizationRules[name]
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (rule.kind === 'switch') return new Option(`${flag} <true|false>`, rule.help).argParser(readBoolean)
  return new Option(`${flag} <number>`, rule.help).argParser((text) => {
    const value = readLimit(text)
    if (value !== 'unlimited' && (value < rule.min || value > rule.max))
      throw new InvalidArgumentError(
        `Expected a whole number from ${rule.min} to ${rule.max}, or "unlimited".`,
      )
    return value
  })
}

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
