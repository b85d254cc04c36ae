import type { Route } from './published.ts'

/**
 * The operations of our own pages: id → method and path. They are mounted below /internal, take a session and no token,
 * and are not part of the published interface. They may change whenever the pages change.
 */
export const internal = {
  getSignedInUser: 'GET /me',
  getProfile: 'GET /profile',
  changeProfile: 'PUT /profile',
  setProfilePicture: 'PUT /profile/pictures/{kind}',
  removeProfilePicture: 'DELETE /profile/pictures/{kind}',
  getStorage: 'GET /storage',
  listPersonalTokens: 'GET /tokens',
  createPersonalToken: 'POST /tokens',
  revokePersonalToken: 'DELETE /tokens/{id}',
  listConnectedApps: 'GET /connected-apps',
  disconnectApp: 'DELETE /connected-apps/{id}',
  listApps: 'GET /apps',
  registerApp: 'POST /apps',
  deleteApp: 'DELETE /apps/{id}',
  getSecurity: 'GET /security',
  changePassword: 'PUT /security/password',
  changeEmail: 'PUT /security/email',
  endOtherSessions: 'POST /security/sessions/end-others',
  startSecondFactor: 'POST /security/second-factor',
  confirmSecondFactor: 'POST /security/second-factor/confirm',
  removeSecondFactor: 'POST /security/second-factor/remove',
  startPasskey: 'POST /security/passkeys/start',
  addPasskey: 'POST /security/passkeys',
  startPasskeyProof: 'POST /security/passkeys/proof',
  renamePasskey: 'PUT /security/passkeys/{id}',
  removePasskey: 'POST /security/passkeys/{id}/remove',
  createRecoveryCodes: 'POST /security/recovery-codes',
  getOrganizationSettings: 'GET /organization',
  previewRules: 'POST /organization/rules/preview',
  changeRules: 'PUT /organization/rules',
  getMember: 'GET /members/{user}',
  sendMemberPasswordReset: 'POST /members/{user}/password-reset',
  listMemberSignIns: 'GET /members/{user}/sign-ins',
  endMemberSignIns: 'POST /members/{user}/sign-ins/end',
  endMemberSignIn: 'DELETE /members/{user}/sign-ins/{id}',
  listAuditLog: 'GET /audit-log',
  exportAuditLogAsCsv: 'GET /audit-log.csv',
  listScoreAccess: 'GET /scores/{score}/access',
  searchScorePeople: 'GET /scores/{score}/people',
} as const satisfies Record<string, `${Route['method']} ${Route['path']}`>

export type InternalId = keyof typeof internal
