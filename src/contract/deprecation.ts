/**
 * Value of the `Deprecation` header (RFC 9745): since the first version, 1 November 2026. What it marks is there for
 * clients that still use it and has been superseded in the interface.
 */
export const deprecation = '@1793491200'

/** The headers of an answer that is deprecated for what was asked, and not as such. */
export const deprecatedWhere = (isSo: boolean): Record<string, string> => (isSo ? { Deprecation: deprecation } : {})
