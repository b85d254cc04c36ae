// No schemas, so that the browser app can load this file without them.

/** A rule that is on or off. */
interface Switch {
  readonly kind: 'switch'
  /** Only the operator of the server changes the rule, on the command line. The page shows it. */
  readonly isForOperator?: true
  /** The help of the command line. */
  readonly help: string
}

/** A rule that is a whole number. Null means that the organization does not set it. */
interface Limit {
  readonly kind: 'limit'
  readonly help: string
  readonly min: number
  readonly max: number
}

/**
 * The rules of an organization for its members, in the order in which the page shows them. The page, the operations and
 * the command line follow from this list. The flag of a rule is its name: `--require-second-factor`.
 * `features/people/settings/rules.ts` has the column of each, and whom it would lock out.
 */
export const organizationRules = {
  requireSecondFactor: {
    kind: 'switch',
    help: 'Whether administrators and teachers must set up a second factor before anything else',
  },
  requirePasskey: {
    kind: 'switch',
    help: 'Whether administrators and teachers must have a passkey, and sign in with it',
  },
  requireProvider: {
    kind: 'switch',
    help: 'Whether members can sign in only through a provider of the organization; true ends their sessions',
  },
  maxSessionHours: {
    kind: 'limit',
    help: 'Maximum age of the sessions of members, or "unlimited" (14 days)',
    min: 1,
    max: 99_999,
  },
  maxTokenDays: {
    kind: 'limit',
    help: 'Maximum age of the tokens and app authorizations of members, or "unlimited"',
    min: 1,
    max: 99_999,
  },
  minPasswordLength: {
    kind: 'limit',
    help: 'Minimum number of characters of new passwords of members, or "unlimited" for that of the server',
    min: 6,
    max: 100,
  },
  teachersResetPasswords: {
    kind: 'switch',
    help: 'Whether teachers may set the passwords of students in their classes',
  },
  allowPictureSignIn: {
    kind: 'switch',
    help: 'Whether students can sign in with a picture and a PIN on the sign-in page of their class',
  },
  invitationDays: {
    kind: 'limit',
    help: 'Days after which invitations to the organization expire, or "unlimited" for those of the server',
    min: 1,
    max: 3650,
  },
  allowSignUpByCode: {
    kind: 'switch',
    isForOperator: true,
    help: 'Whether invitation codes can be used to create accounts',
  },
  allowPublicScores: {
    kind: 'switch',
    isForOperator: true,
    help: 'Whether members may make scores public or share them by link outside the organization',
  },
} as const satisfies Readonly<Record<string, Switch | Limit>>

/** The rules that can lock members out, or end their sessions and tokens, when they become stricter. */
export const restrictingRules = [
  'requireSecondFactor',
  'requirePasskey',
  'requireProvider',
  'maxSessionHours',
  'maxTokenDays',
] as const satisfies readonly (keyof typeof organizationRules)[]
export type RestrictingRule = (typeof restrictingRules)[number]

export type RuleName = keyof typeof organizationRules

export type RuleValue = boolean | number | null

export type OrganizationRules = {
  readonly [Name in RuleName]: (typeof organizationRules)[Name]['kind'] extends 'switch'
    ? boolean
    : number | null
}

export const ruleNames = Object.keys(organizationRules) as RuleName[]

/** A rule that only the operator of the server changes. */
export type OperatorRule = {
  [Name in RuleName]: (typeof organizationRules)[Name] extends { isForOperator: true } ? Name : never
}[RuleName]

/** A rule that the administrators of the organization change. */
export type AdministratorRule = Exclude<RuleName, OperatorRule>

const isForOperator = (name: RuleName): name is OperatorRule => 'isForOperator' in organizationRules[name]

export const operatorRules = ruleNames.filter(isForOperator)
export const administratorRules = ruleNames.filter((name): name is AdministratorRule => !isForOperator(name))
