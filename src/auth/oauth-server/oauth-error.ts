/** The error codes of RFC 6749, sections 4.1.2.1 and 5.2. */
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

/** An error that is sent to the app. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  /** @param message for the developer of the app; ASCII without `"` and `\` (RFC 6749, appendix A.8) */
  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Returns an optional parameter. An empty one counts as missing (RFC 6749, section 3.1).
 * @throws invalid_request when it is repeated
 */
export function optional(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} must not be repeated`)
  return values[0] || undefined
}

/**
 * Returns a required parameter.
 * @throws invalid_request when it is missing or repeated
 */
export function required(form: URLSearchParams, name: string): string {
  const value = optional(form, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}
