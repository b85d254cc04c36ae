import type { IncomingHttpHeaders } from 'node:http'

/** The language to answer in: X-Flat-Locale, then the account's, then Accept-Language, then English (BCP 47). */
export function localeOf(headers: IncomingHttpHeaders, accountLocale: string | undefined): string {
  const requested = headers['x-flat-locale']
  if (typeof requested === 'string' && requested) return requested
  return accountLocale ?? firstAccepted(headers['accept-language']) ?? 'en'
}

function firstAccepted(header: string | undefined): string | undefined {
  const first = header?.split(/[,;]/, 1)[0]?.trim()
  return first && first !== '*' ? first : undefined
}
