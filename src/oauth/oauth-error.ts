/** The codes of RFC 6749, sections 4.1.2.1 and 5.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable'

/** What an app is told that has asked for something wrong. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  /** @param message for the developer of the app; ASCII without `"` and `\` (RFC 6749, appendix A.8) */
  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A parameter that may be sent once at most; what is empty was not sent (RFC 6749, section 3.1). @throws invalid_request */
export function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} is sent more than once`)
  return values[0] || undefined
}

/** @throws invalid_request where it is missing */
export function required(form: URLSearchParams, name: string): string {
  const value = single(form, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}
