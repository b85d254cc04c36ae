import {
  type OrganizationRules,
  type RestrictingRule,
  restrictingRules,
} from '../../../contract/organization-rules.ts'
import type { RuleEffects } from '../../../contract/organization-settings.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { OrganizationsTable } from '../../../platform/db/people-tables.ts'
import { columnsOf } from './rules.ts'
import {
  countOf,
  includes,
  withOldSession,
  withOldToken,
  withoutPasskey,
  withoutProvider,
  withoutSecondFactor,
} from './store.ts'

/** An organization before and after a change. */
interface Change {
  readonly before: OrganizationsTable
  readonly after: OrganizationsTable
  readonly now: number
}

interface Effect {
  /** Whether the change has this effect. */
  applies(change: Change): boolean
  /** The members whom it concerns. */
  select(queries: Queries, change: Change): Parameters<typeof countOf>[0]
  /** Whether these members cannot sign in as before. Otherwise only something of theirs ends. */
  readonly locksOut: boolean
}

const needsFactor = ({ requires_second_factor, requires_provider }: OrganizationsTable): boolean =>
  requires_second_factor === 1 && requires_provider === 0

const needsPasskey = ({ requires_passkey, requires_provider }: OrganizationsTable): boolean =>
  requires_passkey === 1 && requires_provider === 0

const isShorter = (before: number | null, after: number | null): after is number =>
  after !== null && (before === null || after < before)

/** What a rule does to members when it becomes stricter. The other rules apply to what is done later. */
const effects: Readonly<Record<RestrictingRule, Effect>> = {
  requireSecondFactor: {
    applies: ({ before, after }) => needsFactor(after) && !needsFactor(before),
    select: (queries, { after }) => withoutSecondFactor(queries, after.id),
    locksOut: true,
  },
  requirePasskey: {
    applies: ({ before, after }) => needsPasskey(after) && !needsPasskey(before),
    select: (queries, { after }) => withoutPasskey(queries, after.id),
    locksOut: true,
  },
  requireProvider: {
    applies: ({ before, after }) => after.requires_provider === 1 && before.requires_provider === 0,
    select: (queries, { after }) => withoutProvider(queries, after.id),
    locksOut: true,
  },
  maxSessionHours: {
    applies: ({ before, after }) => isShorter(before.max_session_ms, after.max_session_ms),
    select: (queries, { after, now }) =>
      withOldSession(queries, after.id, { time: now - (after.max_session_ms ?? 0), now }),
    locksOut: false,
  },
  maxTokenDays: {
    applies: ({ before, after }) => isShorter(before.max_token_ms, after.max_token_ms),
    select: (queries, { after, now }) =>
      withOldToken(queries, after.id, { time: now - (after.max_token_ms ?? 0), now }),
    locksOut: false,
  },
}

/**
 * Returns whom changed rules would lock out, and whose sessions and tokens they would end.
 * @param caller the account that must not be locked out; null for the command line
 */
export async function effectsOf(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  before: OrganizationsTable,
  { rules, caller }: { rules: Partial<OrganizationRules>; caller: string | null },
): Promise<RuleEffects> {
  const change = { before, after: { ...before, ...columnsOf(rules) }, now: clock.now() }
  const found: RuleEffects = []
  for (const rule of restrictingRules) {
    const effect = effects[rule]
    if (!effect.applies(change)) continue
    const members = await countOf(effect.select(queries, change))
    const locksOutCaller =
      effect.locksOut && caller !== null && (await includes(effect.select(queries, change), caller))
    if (members > 0) found.push({ rule, members, locksOutCaller })
  }
  return found
}
