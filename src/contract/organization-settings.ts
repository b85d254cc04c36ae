import Type, { type Static, type TSchema } from 'typebox'
import { StorageUse } from './account.ts'
import {
  administratorRules,
  type OrganizationRules,
  organizationRules,
  restrictingRules,
  type RuleName,
  ruleNames,
} from './organization-rules.ts'
import { Nullable, OneOf, secret } from './schema.ts'

/** Schemas of the requests and responses under /internal/organization, which the browser app uses. */

const schemaOf = (name: RuleName): TSchema => {
  const rule = organizationRules[name]
  return rule.kind === 'switch'
    ? Type.Boolean()
    : Nullable(Type.Integer({ minimum: rule.min, maximum: rule.max }))
}
const schemasOf = (names: readonly RuleName[]) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)]))

const Rules = Type.Unsafe<OrganizationRules>(Type.Object(schemasOf(ruleNames)))
/** The rules of a change, with their new values. */
const ChangedRules = Type.Unsafe<Partial<OrganizationRules>>(
  Type.Partial(Type.Object(schemasOf(administratorRules)), { minProperties: 1, additionalProperties: false }),
)

/** The rules and limits of an organization. */
export const OrganizationSettings = Type.Object({
  name: Type.String(),
  rules: Rules,
  storage: StorageUse,
  seats: Type.Object({
    /** The members, without test students. */
    used: Type.Integer(),
    allowed: Nullable(Type.Integer()),
  }),
  classes: Type.Object({
    /** The classes that are not archived. */
    used: Type.Integer(),
    allowed: Nullable(Type.Integer()),
  }),
  /** Days for which a removed member can be restored. */
  retentionDays: Type.Integer(),
  /** The settings of the server, which its operator changes. */
  server: Type.Object({
    minPasswordLength: Type.Integer(),
    administratorPasswordLength: Type.Integer(),
    invitationDays: Type.Integer(),
  }),
  /**
   * The proof that a change of the rules requires: the password of the caller, or a recent sign-in if the caller signs in
   * without a password.
   */
  proof: OneOf(['password', 'recent sign-in']),
})
export type OrganizationSettings = Static<typeof OrganizationSettings>

export const RulePreview = Type.Object({ rules: ChangedRules })

/** How many members each changed rule would lock out or sign out. Rules without such members are left out. */
export const RuleEffects = Type.Array(
  Type.Object({
    rule: OneOf(restrictingRules),
    /** The number of members. */
    members: Type.Integer(),
    /** Whether it would lock the caller out. Such a change is refused. */
    locksOutCaller: Type.Boolean(),
  }),
)
export type RuleEffects = Static<typeof RuleEffects>

export const RuleChange = Type.Object({
  rules: ChangedRules,
  /** The password of the caller, if the proof is the password. */
  password: Type.Optional(Type.String({ ...secret, maxLength: 1000 })),
})
