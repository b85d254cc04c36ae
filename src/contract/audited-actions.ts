// No schemas, so that the browser app can load this file without them.

/**
 * The actions on accounts and permissions that the audit log records, in alphabetical order.
 * docs/audit-log.md describes each.
 */
export const auditedActions = [
  'app.authorization-revoked',
  'app.authorized',
  'app.deleted',
  'app.registered',
  'app.token-reused',
  'class.member-added',
  'class.member-removed',
  'class.owner-changed',
  'invitation.accepted',
  'invitation.created',
  'invitation.removed',
  'organization.created',
  'organization.updated',
  'provider.added',
  'provider.changed',
  'provider.removed',
  'roster.imported',
  'user.access-token-created',
  'user.access-token-revoked',
  'user.converted-to-individual',
  'user.created',
  'user.deleted',
  'user.email-verified',
  'user.exported',
  'user.linked-to-provider',
  'user.passkey-added',
  'user.passkey-refused',
  'user.passkey-removed',
  'user.password-changed',
  'user.password-reset-requested',
  'user.pin-removed',
  'user.pin-set',
  'user.recovery-code-used',
  'user.recovery-codes-made',
  'user.removed',
  'user.restored',
  'user.role-changed',
  'user.second-factor-added',
  'user.second-factor-removed',
  'user.sessions-ended',
  'user.sign-in-failed',
  'user.signed-in',
  'user.signed-in-by-link',
  'user.signed-in-by-provider',
  'user.signed-out',
  'user.signin-link-created',
  'user.unlinked-from-providers',
  'user.updated',
  'webhook.added',
  'webhook.changed',
  'webhook.deleted',
] as const

export type AuditedAction = (typeof auditedActions)[number]

export const isAuditedAction = (text: string): text is AuditedAction =>
  auditedActions.some((action) => action === text)
