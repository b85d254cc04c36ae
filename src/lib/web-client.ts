import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { get } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The one way in which this program asks others on the web. Never within a transaction or a request: jobs ask. */
export interface WebClient {
  /**
   * The JSON at an https address.
   * @param hosts the names that may be asked, also by a redirect
   * @throws WebError where it is not to be had from there
   */
  getJson(address: string, hosts: readonly string[]): Promise<unknown>
}

/** Why something is not to be had from the web. */
export class WebError extends Error {
  override readonly name = 'WebError'
  /** Whether it may be had at another time. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isPassing = isPassing
  }
}

const mostRedirects = 3
const mostBytes = 256 * 1024
const timeLimit = 10_000

type LookUpAll = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void

/** What tests put in the place of the outside: who answers for a name, and what is asked there. */
export interface Outside {
  lookUpAll: LookUpAll
  get: typeof get
}

const outside: Outside = { lookUpAll: (host, done) => lookUp(host, { all: true }, done), get }

export function webClient({ lookUpAll, get }: Outside = outside): WebClient {
  const lookup = guardedLookup(lookUpAll)

  async function getJson(address: string, hosts: readonly string[]): Promise<unknown> {
    const signal = AbortSignal.timeout(timeLimit)
    let url = new URL(address)
    for (let redirects = 0; ; redirects++) {
      checkAddress(url, hosts)
      const { status, location, body } = await ask(url, signal)
      if (location === undefined) return parsed(status, body)
      if (redirects === mostRedirects) throw new WebError(`${address} leads on too often`)
      url = URL.parse(location, url.href) ?? refuse(`${url.href} leads nowhere`)
    }
  }

  function ask(url: URL, signal: AbortSignal): Promise<{ status: number; location?: string; body: string }> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(cause instanceof WebError ? cause : new WebError(`${url.host}: no answer`, { isPassing: true, cause }))
      const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
      // No connection is kept: the next one is checked anew.
      const request = get(url, { lookup, signal, agent: false, headers }, (response) => {
        const { statusCode: status = 0, headers } = response
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          response.destroy()
          return resolve({ status, location: headers.location, body: '' })
        }
        const pieces: Buffer[] = []
        let size = 0
        response.on('data', (piece: Buffer) => {
          size += piece.length
          pieces.push(piece)
          if (size > mostBytes) response.destroy(new WebError(`${url.host} answers more than ${mostBytes} bytes`))
        })
        response.on('error', fail)
        response.on('end', () => resolve({ status, body: Buffer.concat(pieces).toString() }))
      })
      request.on('error', fail)
    })
  }

  return { getJson }
}

function parsed(status: number, body: string): unknown {
  if (status !== 200) throw new WebError(`the answer is ${status}`, { isPassing: status >= 500 || status === 429 })
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new WebError('the answer is no JSON', { cause })
  }
}

function checkAddress(url: URL, hosts: readonly string[]): void {
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  if (!isPlain || !hosts.includes(url.hostname)) refuse(`${url.href} is not among those that may be asked`)
}

/**
 * Finds the addresses of a name, and refuses it where any of them is not a public one. The connection is made to the very
 * address that was checked, so nobody can answer differently in between.
 */
function guardedLookup(lookUpAll: LookUpAll): LookupFunction {
  return (host, { all }, done) => {
    lookUpAll(host, (error, addresses) => {
      const [first] = addresses ?? []
      const inner = addresses?.find(({ address }) => !isPublic(address))
      if (error || inner || !first) {
        const refused = inner && new WebError(`${host} is at ${inner.address}, which is not on the public web`)
        return done(refused ?? error ?? new Error(`${host} has no address`), '', 0)
      }
      if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** IPv4 addresses that are written as IPv6 ones are looked at as what they are. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

function refuse(message: string): never {
  throw new WebError(message)
}
