import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The one way in which this program asks others on the web. Never within a transaction; within a request only where somebody
 * waits for nothing else, as who signs in elsewhere does: else jobs ask.
 */
export interface WebClient {
  /**
   * The JSON at an https address.
   * @param hosts the names that may be asked, also by a redirect
   * @throws WebError where it is not to be had from there
   */
  getJson(address: string, hosts: readonly string[]): Promise<unknown>
  /**
   * The answer to a request to an https address, whatever its status: it is followed nowhere.
   * @param innerHost a name that whoever runs this server has said may be in their own network; it may be asked by http
   *   where it is this machine itself
   * @throws WebError where there is no answer from there, or one that is too long
   */
  send(address: string, request: WebRequest, innerHost?: string): Promise<Response>
}

export interface WebRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
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
  request(url: URL, options: RequestOptions, respond: (response: IncomingMessage) => void): ClientRequest
}

const outside: Outside = {
  lookUpAll: (host, done) => lookUp(host, { all: true }, done),
  request: (url, ...rest) => (url.protocol === 'http:' ? requestPlainly : requestEncrypted)(url, ...rest),
}

/** Whether a connection may be made to this address. */
type Allows = (address: string) => boolean

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

export function webClient({ lookUpAll, request }: Outside = outside): WebClient {
  async function getJson(address: string, hosts: readonly string[]): Promise<unknown> {
    const signal = AbortSignal.timeout(timeLimit)
    const get = { method: 'GET', headers: { accept: 'application/json' } }
    let url = new URL(address)
    for (let redirects = 0; ; redirects++) {
      checkAddress(url, hosts)
      const answer = await ask(url, get, isPublic, signal)
      const { status, headers, body } = answer
      if (!isRedirect(answer)) return parsed(status, body)
      if (redirects === mostRedirects) throw new WebError(`${address} leads on too often`)
      url = URL.parse(headers.location ?? '', url.href) ?? refuse(`${url.href} leads nowhere`)
    }
  }

  async function send(address: string, request: WebRequest, innerHost?: string): Promise<Response> {
    const url = new URL(address)
    const { status, headers, body } = await ask(url, request, allowedAt(url, innerHost), AbortSignal.timeout(timeLimit))
    const hasNoBody = status === 204 || status === 205 || status === 304
    const type = headers['content-type']
    return new Response(hasNoBody ? null : body, { status, ...(type && { headers: { 'content-type': type } }) })
  }

  function ask(url: URL, { method, headers, body }: WebRequest, allows: Allows, signal: AbortSignal): Promise<Answer> {
    // What is an address already is looked up nowhere.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) && !allows(literal)) refuse(`${url.host} may not be asked`)
    const lookup = guardedLookup(lookUpAll, allows)
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(cause instanceof WebError ? cause : new WebError(`${url.host}: no answer`, { isPassing: true, cause }))
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const asked = { ...headers, ...length, 'accept-encoding': 'identity' }
      // No connection is kept: the next one is checked anew.
      const sent = request(url, { method, lookup, signal, agent: false, headers: asked }, (response) => {
        const { statusCode: status = 0, headers } = response
        if (isRedirect({ status, headers })) {
          response.destroy()
          return resolve({ status, headers, body: '' })
        }
        const pieces: Buffer[] = []
        let size = 0
        response.on('data', (piece: Buffer) => {
          size += piece.length
          pieces.push(piece)
          if (size > mostBytes) response.destroy(new WebError(`${url.host} answers more than ${mostBytes} bytes`))
        })
        response.on('error', fail)
        response.on('end', () => resolve({ status, headers, body: Buffer.concat(pieces).toString() }))
      })
      sent.on('error', fail)
      sent.end(body)
    })
  }

  return { getJson, send }
}

const isRedirect = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status >= 300 && status < 400 && headers.location !== undefined

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

/** To which addresses a connection to this place may be made. */
function allowedAt({ protocol, hostname }: URL, innerHost: string | undefined): Allows {
  const isInner = hostname === innerHost
  if (protocol === 'https:') return isInner ? (address) => isPublic(address) || isInnerAddress(address) : isPublic
  return protocol === 'http:' && isInner ? isThisMachine : refuse(`${protocol}//${hostname} may not be asked`)
}

/**
 * Finds the addresses of a name, and refuses it where any of them is not allowed. The connection is made to the very
 * address that was checked, so nobody can answer differently in between.
 */
function guardedLookup(lookUpAll: LookUpAll, allows: Allows): LookupFunction {
  return (host, { all }, done) => {
    lookUpAll(host, (error, addresses) => {
      const [first] = addresses ?? []
      const refused = addresses?.find(({ address }) => !allows(address))
      if (error || refused || !first) {
        const why = refused && new WebError(`${host} is at ${refused.address}, which is not on the public web`)
        return done(why ?? error ?? new Error(`${host} has no address`), '', 0)
      }
      if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** IPv4 addresses that are written as IPv6 ones are looked at as what they are. */
const rangeOf = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined)

const isPublic: Allows = (address) => rangeOf(address) === 'unicast'
const isThisMachine: Allows = (address) => rangeOf(address) === 'loopback'

/** Not the addresses that hold for one wire only, at which clouds give out the secrets of a machine. */
const innerRanges: readonly unknown[] = ['private', 'uniqueLocal', 'loopback', 'carrierGradeNat']
const isInnerAddress: Allows = (address) => innerRanges.includes(rangeOf(address))

function refuse(message: string): never {
  throw new WebError(message)
}
