const redacted = '[redacted]'
/** Paths that end in a secret: signed links, addresses of pictures, tokens, invitation codes. */
const secretPath = /^(\/(?:files|pictures|invitations|auth\/(?:signin-link|password|email))\/)./
const secretParameter = /^(?:sharingkey|key|code|password|response|.*(?:token|secret))$/
const token = /(partita_[a-z]+_)\w+/
/**
 * What every URL with a secret contains: a query, a fragment, an encoded character, a token or the begin of a secret path.
 * Most lines of the log have nothing of it, and to look for it takes a tenth of taking their URLs apart.
 */
const possibleSecret = /[?#%]|partita_|\/(?:files|pictures|invitations|auth)\//
/** A path or an http URL in a text. It ends before a quote or backslash, so that JSON stays JSON. */
const urlsInText = /(?:https?:\/\/[^/\s"\\]*)?\/[^\s"\\]*/g

/**
 * Removes tokens, and the secrets of URLs, from a text such as a log line.
 * @param text plain text or JSON
 */
export const redactUrls = (text: string): string =>
  possibleSecret.test(text) ? redactTokens(text.replaceAll(urlsInText, redactUrl)) : text

/**
 * Removes sharing keys, tokens, codes and signed links from a URL, however they are percent-encoded.
 * @param url a path with or without a query, or an http URL
 */
export function redactUrl(url: string): string {
  if (!possibleSecret.test(url)) return url
  const [, origin = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/s.exec(url) ?? []
  const pairs = rest.split(/([?#&])/).map(redactPair)
  return origin + redactPath(path) + pairs.join('')
}

function redactPath(path: string): string {
  const plain = decoded(path)
  const start = secretPath.exec(plain)?.[1]
  if (start !== undefined) return start + redacted
  const safe = redactTokens(path)
  return safe === path && token.test(plain) ? `/${redacted}` : safe
}

/** @param pair `name=value`, or a character that separates pairs */
function redactPair(pair: string): string {
  const end = pair.indexOf('=')
  if (end < 0) return redactTokens(pair)
  const name = pair.slice(0, end)
  const value = decoded(pair.slice(end + 1))
  const isSecret = secretParameter.test(decoded(name).toLowerCase())
  // The value may be a URL itself, such as the page to return to after the sign-in.
  return isSecret || redactUrls(value) !== value ? `${name}=${redacted}` : pair
}

const redactTokens = (text: string): string =>
  text.includes('partita_') ? text.replaceAll(new RegExp(token, 'g'), `$1${redacted}`) : text

/** Decodes every ASCII character that is percent-encoded. Unlike `decodeURIComponent`, it accepts all texts. */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
