import { Command, InvalidArgumentError } from 'commander'
import { isUniqueViolation } from '../platform/db/violations.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/people/audit/audit.ts'
import { checkRoomForMember } from '../features/people/organizations/policy.ts'
import { findOrganization } from '../features/people/organizations/store.ts'
import { exportAccount } from '../features/people/data-rights/export.ts'
import { eraseAccount } from '../features/people/data-rights/erasure.ts'
import { acceptInvitations } from '../features/library/scores/collaborators.ts'
import { storageOfAccount } from '../features/people/storage/quota.ts'
import { endSignIns, listSignIns } from '../auth/sessions/sign-ins.ts'
import { revokeAllSignIns } from '../auth/sessions/revocation.ts'
import { deleteSecondFactors } from '../auth/second-factor/second-factors.store.ts'
import { accountOf, loadUserId, passwordHolderOf } from '../features/people/users/accounts.ts'
import {
  findAccount,
  findRestorable,
  findUser,
  insertUser,
  updatePassword,
  updateRemoval,
  updateUser,
} from '../features/people/users/store.ts'
import { sortKey } from '../lib/sort-key.ts'
import type { PasswordOrigin } from '../platform/db/people-tables.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { confirmName } from './ask-again.ts'
import { progressBar } from './progress-bar.ts'
import {
  readStorage,
  storageHelp,
  type StorageLimit,
  storageLimitOf,
  storageSentence,
} from './storage-option.ts'
import { hashVouchedPassword } from './vouched-password.ts'

/** The value of the option `--rate-limit`. */
type RateLimit = number | 'default'

function readRateLimit(text: string): RateLimit {
  if (text === 'default') return text
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, or "default".')
  return Number(text)
}

const roles = ['admin', 'accountAdmin', 'teacher', 'user'] as const

/** Without it a password counts as the user's own, because operators create accounts for themselves and for programs. */
const temporaryFlag = [
  '--temporary-password',
  'The password is for another person, who is asked for an own one at the first sign-in',
] as const

const passwordOriginOf = ({ temporaryPassword }: { temporaryPassword?: true }): PasswordOrigin =>
  temporaryPassword ? 'administrator' : 'own'

export function userCommand(): Command {
  const create = commandWithSettings('create', 'Create an account')
    .requiredOption('--username <name>', 'Name to sign in with, 1 to 30 characters')
    .option(
      '--password <password>',
      'At least 6 characters, with a warning if users could not choose it; prompted for, or read from standard input, if not given',
    )
    .option(...temporaryFlag)
    .option('--email <address>')
    .option('--firstname <name>')
    .option('--lastname <name>')
    .option('--organization <id>', 'Organization of the new member')
    .option('--role <role>', `Role in the organization: ${roles.join(', ')} (a student is a user)`)
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        if (options.role && !roles.includes(options.role)) {
          fail('INVALID_PARAMETER', { message: `--role must be one of ${roles.join(', ')}` })
        }
        if (options.role && !options.organization) {
          fail('INVALID_PARAMETER', { message: '--role requires --organization' })
        }
        const memberOf = options.organization && (await findOrganization(ctx.db.read, options.organization))
        if (options.organization && !memberOf) fail('ORGANIZATION_NOT_FOUND')
        const holder = {
          role: options.role,
          organizationMinimum: memberOf?.min_password_length,
          owner: options,
        }
        const passwordHash = await hashVouchedPassword(ctx, options, holder)
        const fields = { ...options, passwordOrigin: passwordOriginOf(options) }
        const user = accountOf(fields, passwordHash, ctx.newId(), ctx.clock.now())
        const { organization_id: organization, organization_role: role } = user
        try {
          await ctx.transaction(async (tx) => {
            if (organization) await checkRoomForMember(tx, organization)
            await insertUser(tx, user)
            await acceptInvitations(tx, user)
            await audit(tx, ctx, {
              organization,
              actor: null,
              action: 'user.created',
              subject: user.id,
              details: { role },
            })
          })
        } catch (error) {
          if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN')
          throw error
        }
        print(
          options,
          { id: user.id, username: user.username, organization: organization ?? undefined },
          `Created ${user.username} (${user.id}).`,
        )
      })
    })

  const show = commandWithSettings('show', 'Show an account: its organization, role, storage and rate limit')
    .argument('<user>', 'Username or id; may be a removed account')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const account = (await findAccount(ctx.db.read, sortKey(idOrName))) ?? fail('USER_NOT_FOUND')
        const { id, username, organization_id: organization, organization_role: role } = account
        const storage = await storageOfAccount(ctx, ctx.db.read, account)
        const rateLimit = account.rate_limit ?? ctx.config.rateLimitAuthenticated
        const membership = organization ? `${role} of ${organization}` : 'an individual account'
        print(
          options,
          { id, username, organization, role, storage, rateLimit },
          `${username} (${id}), ${membership}. ${storageSentence(storage)} It can send ${rateLimit} requests an hour.`,
        )
      })
    })

  const update = commandWithSettings('update', 'Change the limits of an account')
    .argument('<user>', 'Username or id')
    .option('--max-storage <size>', storageHelp, readStorage)
    .option('--rate-limit <requests>', 'Requests per hour, such as 20000; or "default"', readRateLimit)
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const { maxStorage, rateLimit } = options as { maxStorage?: StorageLimit; rateLimit?: RateLimit }
        if (maxStorage === undefined && rateLimit === undefined)
          fail('INVALID_PARAMETER', { message: 'One of --max-storage, --rate-limit is required' })
        const id = await loadUserId(ctx.db.read, idOrName)
        const changed = { maxStorage, rateLimit }
        await ctx.transaction(async (tx) => {
          await updateUser(tx, id, {
            ...(maxStorage !== undefined && { max_storage: storageLimitOf(maxStorage) }),
            ...(rateLimit !== undefined && { rate_limit: rateLimit === 'default' ? null : rateLimit }),
          })
          const event = { organization: { of: id }, actor: null, subject: id, details: changed }
          await audit(tx, ctx, { ...event, action: 'user.updated' })
        })
        print(options, { id, ...changed }, `Changed ${idOrName}.`)
      })
    })

  const setPassword = commandWithSettings(
    'set-password',
    'Set the password of an account and end all its tokens and sessions',
  )
    .requiredOption('--user <user>', 'Username or id')
    .option(
      '--password <password>',
      'At least 6 characters, with a warning if users could not choose it; prompted for, or read from standard input, if not given',
    )
    .option(...temporaryFlag)
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const id = await loadUserId(ctx.db.read, options.user)
        const user = (await findUser(ctx.db.read, { id })) ?? fail('USER_NOT_FOUND')
        const passwordHash = await hashVouchedPassword(ctx, options, passwordHolderOf(user))
        await ctx.transaction(async (tx) => {
          await updatePassword(tx, id, passwordHash, passwordOriginOf(options))
          await revokeAllSignIns(ctx, tx, id)
          const event = { organization: { of: id }, actor: null, subject: id }
          await audit(tx, ctx, { ...event, action: 'user.password-changed' })
        })
        print(options, { id }, `Changed the password of ${options.user}.`)
      })
    })

  const resetSecondFactor = commandWithSettings(
    'reset-second-factor',
    'Remove the authenticator app, passkeys and recovery codes of a user who has lost them',
  )
    .requiredOption('--user <user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const id = await loadUserId(ctx.db.read, options.user)
        const { hadFactor, passkeys } = await ctx.transaction(async (tx) => {
          const { app, passkeys } = await deleteSecondFactors(tx, id)
          const event = { organization: { of: id }, actor: null, subject: id }
          if (app) await audit(tx, ctx, { ...event, action: 'user.second-factor-removed' })
          if (passkeys > 0) {
            const details = { passkeys }
            await audit(tx, ctx, { ...event, details, action: 'user.passkey-removed' })
          }
          return { hadFactor: app || passkeys > 0, passkeys }
        })
        const { user } = options
        print(
          options,
          { id, removed: hadFactor, passkeys },
          hadFactor ? `${user} can sign in with the password alone.` : `${user} has no second factor.`,
        )
      })
    })

  const sessions = commandWithSettings('sessions', 'List the sessions and tokens of an account')
    .argument('<user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const id = await loadUserId(ctx.db.read, idOrName)
        const signIns = await listSignIns(ctx.db.read, id, ctx.clock.now())
        const lines = [
          ...signIns.sessions.map(
            ({ startedAt, endsAt, openedBy }) => `session  ${startedAt}  ends ${endsAt}  by ${openedBy}`,
          ),
          ...signIns.tokens.map(
            ({ id, name, createdAt, lastUsedAt }) =>
              `token    ${createdAt}  last used ${lastUsedAt ?? 'never'}  ${name} (${id})`,
          ),
        ]
        print(options, { id, ...signIns }, lines.join('\n') || `${idOrName} is not signed in.`)
      })
    })

  const signOut = commandWithSettings(
    'sign-out',
    'End all sessions and tokens of an account; the password stays',
  )
    .argument('<user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const id = await loadUserId(ctx.db.read, idOrName)
        const ended = await ctx.transaction((tx) => endSignIns(ctx, tx, { user: id, by: null }))
        const counts = `${ended.sessions} sessions and ${ended.tokens} tokens`
        print(options, { id, ...ended }, `Ended ${counts} of ${idOrName}.`)
      })
    })

  const restore = commandWithSettings('restore', 'Restore a removed account during its retention period')
    .argument('<user>', 'Username or id')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const id = await ctx.transaction(async (tx) => {
          const user = await findRestorable(tx, { idOrName: sortKey(idOrName), now: ctx.clock.now() })
          if (!user) fail('USER_NOT_FOUND')
          const { id, organization_id: organization, is_test_student } = user
          if (organization && is_test_student === 0) await checkRoomForMember(tx, organization)
          await updateRemoval(tx, id, { deletion_at: null, removed_by: null })
          await audit(tx, ctx, { organization, actor: null, action: 'user.restored', subject: id })
          return id
        })
        print(options, { id }, `Restored ${idOrName}.`)
      })
    })

  const exporting = commandWithSettings('export', 'Export all data of a user as files in open formats')
    .argument('<user>', 'Username or id; may be a removed account')
    .argument('<path>', 'A new folder, or a file name that ends in .zip')
    .option('--all-revisions', 'Export every revision of each score, not only the newest one')
    .option(...jsonFlag)
    .action(async (idOrName: string, path: string, options) => {
      await withContext(options, async (ctx) => {
        const account = (await findAccount(ctx.db.read, sortKey(idOrName))) ?? fail('USER_NOT_FOUND')
        const bar = progressBar('Exporting', 1, options)
        const allRevisions = options.allRevisions === true
        const written = await exportAccount(ctx, account, { path, allRevisions }, (done, total) =>
          bar.at(done, total),
        ).finally(() => bar.stop())
        const { id, username } = account
        print(
          options,
          { id, username, path, ...written },
          `Wrote ${written.files} files of ${username} to ${path}.`,
        )
      })
    })

  const erase = commandWithSettings(
    'erase',
    'Delete an account permanently and immediately; docs/data-rights.md lists what is deleted',
  )
    .argument('<user>', 'Username or id; may be a removed account')
    .option('--yes', 'Do not ask for confirmation')
    .option(...jsonFlag)
    .action(async (idOrName: string, options) => {
      await withContext(options, async (ctx) => {
        const account = (await findAccount(ctx.db.read, sortKey(idOrName))) ?? fail('USER_NOT_FOUND')
        const { id, username } = account
        if (!options.yes) await confirmName(username)
        await eraseAccount(ctx, account)
        print(options, { id, username }, `Erased ${username} (${id}).`)
      })
    })

  return new Command('user')
    .description('Accounts')
    .addCommand(create)
    .addCommand(show)
    .addCommand(update)
    .addCommand(setPassword)
    .addCommand(resetSecondFactor)
    .addCommand(sessions)
    .addCommand(signOut)
    .addCommand(restore)
    .addCommand(exporting)
    .addCommand(erase)
}
