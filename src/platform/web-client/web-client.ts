import { type LookupAddress, lookup as lookUp } from 'node:dns'
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlainly,
} from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AllowedHosts, isInNetworks, noAllowedHosts } from '../../lib/allowed-hosts.ts'

/**
 * Sends all requests of the server to other servers. Never use it within a transaction. Use it from jobs, and from a request
 * only if the user needs the result, as in a sign-in with an external provider.
 */
export interface WebClient {
  /**
   * Fetches JSON from an https URL.
   * @param hosts the allowed host names, also of redirects
   * @throws WebError if the request fails or the response is not JSON
   */
  getJson(address: string, hosts: readonly string[]): Promise<unknown>
  /**
   * Sends a request to an https URL. Returns a response of any status and does not follow redirects.
   * @param internalHost a host name that the operator of this server allows to be in the private network. It may use http
   *   if it is this machine.
   * @throws WebError if there is no response or the response is too long
   */
  send(address: string, request: WebRequest, internalHost?: string): Promise<Response>
  /**
   * Sends a request to an address that a user has chosen, and returns the start of the response. Does not follow redirects. Hosts
   * outside of the public web, and http, are allowed only for the hosts of the setting OUTGOING_ALLOW.
   * @param timeout milliseconds
   * @throws WebError if there is no response
   */
  notify(address: string, request: WebRequest, timeout: number): Promise<Notified>
  /**
   * Checks the scheme and the name of an address before it is stored for `notify`. The addresses of the name are checked when a
   * request is sent.
   * @throws WebError
   */
  checkTarget(address: string): void
}

/** The start of the response to `notify`. */
export interface Notified {
  readonly status: number
  readonly retryAfter: string | undefined
  /** At most 1 KiB. */
  readonly start: string
}

export interface WebRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}

/** A request to another server failed. */
export class WebError extends Error {
  override readonly name = 'WebError'
  /** Whether a later attempt may succeed. */
  readonly isPassing: boolean

  constructor(
    message: string,
    { isPassing: isTemporary = false, cause }: { isPassing?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isPassing = isTemporary
  }
}

const maxRedirects = 3
const maxBytes = 256 * 1024
/** How much of the response to `notify` is read. */
const startBytes = 1024
const timeLimit = 10_000

type ResolveAll = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void

/** Access to the network, which tests replace. */
export interface Network {
  lookUpAll: ResolveAll
  request(url: URL, options: RequestOptions, respond: (response: IncomingMessage) => void): ClientRequest
}

const systemNetwork: Network = {
  lookUpAll: (host, done) => lookUp(host, { all: true }, done),
  request: (url, ...rest) => (url.protocol === 'http:' ? requestPlainly : requestEncrypted)(url, ...rest),
}

/** Whether a connection to this IP address is allowed. */
type AddressCheck = (address: string) => boolean

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** @param allowed the hosts outside of the public web that `notify` can reach */
export function webClient(
  { lookUpAll, request }: Network = systemNetwork,
  allowed: AllowedHosts = noAllowedHosts,
): WebClient {
  async function getJson(address: string, hosts: readonly string[]): Promise<unknown> {
    const signal = AbortSignal.timeout(timeLimit)
    const get = { method: 'GET', headers: { accept: 'application/json' } }
    let url = new URL(address)
    for (let redirects = 0; ; redirects++) {
      checkAddress(url, hosts)
      const answer = await sendRequest(url, get, isPublic, signal)
      const { status, headers, body } = answer
      if (!isRedirect(answer)) return parsed(status, body)
      if (redirects === maxRedirects) throw new WebError(`${address} has too many redirects`)
      url = URL.parse(headers.location ?? '', url.href) ?? refuse(`${url.href} redirects to an invalid URL`)
    }
  }

  async function send(address: string, request: WebRequest, internalHost?: string): Promise<Response> {
    const url = new URL(address)
    const { status, headers, body } = await sendRequest(
      url,
      request,
      allowedAddresses(url, internalHost),
      AbortSignal.timeout(timeLimit),
    )
    const hasNoBody = status === 204 || status === 205 || status === 304
    const type = headers['content-type']
    return new Response(hasNoBody ? null : body, {
      status,
      ...(type && { headers: { 'content-type': type } }),
    })
  }

  async function notify(address: string, request: WebRequest, timeout: number): Promise<Notified> {
    const url = new URL(address)
    const allows = targetAddresses(url, allowed)
    const signal = AbortSignal.timeout(timeout)
    const { status, headers, body } = await sendRequest(url, request, allows, signal, startBytes)
    return { status, retryAfter: headers['retry-after'], start: body }
  }

  /** @param readsOnly the number of bytes after which the response is not read further. Without it, a long one is an error. */
  function sendRequest(
    url: URL,
    { method, headers, body }: WebRequest,
    allows: AddressCheck,
    signal: AbortSignal,
    readsOnly?: number,
  ): Promise<Answer> {
    // Node does not call `lookup` for an IP address.
    const literal = literalOf(url)
    if (isIP(literal) && !allows(literal)) refuse(`requests to ${url.host} are not allowed`)
    const lookup = guardedLookup(lookUpAll, allows)
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(
          cause instanceof WebError
            ? cause
            : new WebError(`${url.host}: no response`, { isPassing: true, cause }),
        )
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const requestHeaders = { ...headers, ...length, 'accept-encoding': 'identity' }
      // Without an agent, no connection is reused, so that the address is checked for each request.
      const clientRequest = request(
        url,
        { method, lookup, signal, agent: false, headers: requestHeaders },
        (response) => {
          const { statusCode: status = 0, headers } = response
          if (isRedirect({ status, headers })) {
            response.destroy()
            return resolve({ status, headers, body: '' })
          }
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            chunks.push(chunk)
            if (readsOnly !== undefined && size >= readsOnly) {
              resolve({ status, headers, body: Buffer.concat(chunks).subarray(0, readsOnly).toString() })
              response.destroy()
            } else if (size > maxBytes)
              response.destroy(new WebError(`the response of ${url.host} has more than ${maxBytes} bytes`))
          })
          response.on('error', fail)
          response.on('end', () => resolve({ status, headers, body: Buffer.concat(chunks).toString() }))
        },
      )
      clientRequest.on('error', fail)
      clientRequest.end(body)
    })
  }

  function checkTarget(address: string): void {
    const url = URL.parse(address) ?? refuse(`${address} is no address`)
    const allows = targetAddresses(url, allowed)
    const literal = literalOf(url)
    if (isIP(literal) && !allows(literal)) refuse(`requests to ${url.host} are not allowed`)
  }

  return { getJson, send, notify, checkTarget }
}

const isRedirect = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status >= 300 && status < 400 && headers.location !== undefined

function parsed(status: number, body: string): unknown {
  if (status !== 200)
    throw new WebError(`the response has status ${status}`, { isPassing: status >= 500 || status === 429 })
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new WebError('the response is not JSON', { cause })
  }
}

function checkAddress(url: URL, hosts: readonly string[]): void {
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  if (!isPlain || !hosts.includes(url.hostname)) refuse(`requests to ${url.href} are not allowed`)
}

/** The host of an address without the brackets of IPv6. */
const literalOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Returns the check of the IP addresses that the host of a chosen address may have. */
function targetAddresses(url: URL, allowed: AllowedHosts): AddressCheck {
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') refuse(`requests to ${url.host} with a password are not allowed`)
  if (protocol !== 'https:' && protocol !== 'http:')
    refuse(`requests to ${protocol}//${hostname} are not allowed`)
  const isNamed = allowed.names.has(hostname)
  if (protocol === 'http:' && !isNamed && !isIP(literalOf(url)))
    refuse(`requests to http://${hostname} are not allowed`)
  const isAllowed: AddressCheck = (address) =>
    isInNetworks(allowed, address) || (isNamed && isReachable(address))
  return protocol === 'http:' ? isAllowed : (address) => isPublic(address) || isAllowed(address)
}

/** Returns the check of the IP addresses that a host may have. */
function allowedAddresses({ protocol, hostname }: URL, internalHost: string | undefined): AddressCheck {
  const isInternal = hostname === internalHost
  if (protocol === 'https:') return isInternal ? isReachable : isPublic
  return protocol === 'http:' && isInternal
    ? isThisMachine
    : refuse(`requests to ${protocol}//${hostname} are not allowed`)
}

/**
 * Creates a `lookup` function that fails if any address of the name is not allowed. Node connects to the address that was
 * checked, so that a second DNS response cannot bypass the check (DNS rebinding).
 */
function guardedLookup(lookUpAll: ResolveAll, allows: AddressCheck): LookupFunction {
  return (host, { all }, done) => {
    lookUpAll(host, (error, addresses) => {
      const [first] = addresses ?? []
      const refused = addresses?.find(({ address }) => !allows(address))
      if (error || refused || !first) {
        const addressError =
          refused && new WebError(`${host} is at ${refused.address}, which is not on the public web`)
        return done(addressError ?? error ?? new Error(`${host} has no address`), '', 0)
      }
      if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** Converts an IPv4-mapped IPv6 address to IPv4 before the check. */
const rangeOf = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined)

const isPublic: AddressCheck = (address) => rangeOf(address) === 'unicast'
const isThisMachine: AddressCheck = (address) => rangeOf(address) === 'loopback'

/** Without link-local addresses, at which cloud providers serve the credentials of a machine. */
const privateRanges: readonly unknown[] = ['private', 'uniqueLocal', 'loopback', 'carrierGradeNat']
const isReachable: AddressCheck = (address) => isPublic(address) || privateRanges.includes(rangeOf(address))

function refuse(message: string): never {
  throw new WebError(message)
}
