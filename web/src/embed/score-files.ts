/** What the server says about a refused request. */
interface ServerError {
  readonly code?: string
  readonly message?: string
}

/** A request that the server refused, or did not answer. */
export class Refused extends Error {
  readonly code: string

  constructor({ code = '', message = 'The server cannot be reached.' }: ServerError) {
    super(message)
    this.code = code
  }
}

type FileOptions = Readonly<Record<string, string | number | boolean | undefined>>

/** A score that is shown, in the formats that the server makes of it. */
export interface ScoreFiles {
  /** Undefined for music that the page has handed in. */
  readonly hosted: { readonly score: string; readonly sharingKey: string | undefined } | undefined
  /** @throws Refused */
  get(format: string, options?: FileOptions): Promise<Response>
}

/** A frame of another site has no session, and this one must not use it either where a browser sends it. */
const withoutSession = { credentials: 'omit' } as const

async function request(address: string, query: FileOptions, init: RequestInit = {}): Promise<Response> {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const response = await fetch(pairs.length > 0 ? `${address}?${new URLSearchParams(pairs)}` : address, {
    ...withoutSession,
    ...init,
  }).catch(() => {
    throw new Refused({})
  })
  if (response.ok) return response
  throw new Refused(
    await response.json().catch(() => ({ message: `The server answered with ${response.status}.` })),
  )
}

/**
 * A score of this server.
 * @param revision the id of the revision, so that all files are of the same one
 */
export const hostedScore = (
  score: string,
  sharingKey: string | undefined,
  revision: string = 'last',
): ScoreFiles => ({
  hosted: { score, sharingKey },
  get: (format, options = {}) =>
    request(`/v2/scores/${encodeURIComponent(score)}/revisions/${revision}/${format}`, {
      ...options,
      sharingKey,
    }),
})

/** Tells the server that a listener has heard a hosted score. It does not matter if that fails. */
export const countPlay = ({ score, sharingKey }: NonNullable<ScoreFiles['hosted']>): void =>
  void request(`/v2/scores/${encodeURIComponent(score)}/plays`, { sharingKey }, { method: 'POST' }).catch(
    () => undefined,
  )

/** Returns what the server knows of a hosted score. */
export async function scoreDetails(score: string, sharingKey: string | undefined): Promise<unknown> {
  return (await request(`/v2/scores/${encodeURIComponent(score)}`, { sharingKey })).json()
}

/**
 * Music that the page has handed in. The server converts it each time, and stores nothing.
 * @param data the bytes of a file in any format that the server reads, or its text
 */
export const handedIn = (data: Uint8Array | string): ScoreFiles => ({
  hosted: undefined,
  get: (format, options = {}) =>
    request(`/v2/conversions/${format}`, options, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(
        typeof data === 'string' ? { data } : { data: base64Of(data), dataEncoding: 'base64' },
      ),
    }),
})

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = []
  // A call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  return btoa(parts.join(''))
}
