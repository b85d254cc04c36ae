/**
 * Value of the `Deprecation` header (RFC 9745): the date of the first version, 1 November 2026. It marks what
 * the published interface has superseded but some clients still use.
 */
export const deprecation = '@1793491200'

/**
 * Returns the `Deprecation` header if the request uses a deprecated value of an operation that is not
 * deprecated itself.
 */
export const deprecatedWhere = (isDeprecated: boolean): Record<string, string> =>
  isDeprecated ? { Deprecation: deprecation } : {}
