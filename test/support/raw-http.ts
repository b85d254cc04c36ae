import { connect, type Socket } from 'node:net'

/**
 * The bytes that a server wrote on a connection, up to the end of the first response or of the connection.
 */
export interface RawReply {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  // Tests read any property of a body and assert what they find.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/** A connection on which a test can send malformed requests. */
export interface RawConnection {
  readonly socket: Socket
  write(text: string | Uint8Array): void
  /** Returns the next response; undefined if the server closes the connection without one. */
  reply(isHead?: boolean): Promise<RawReply | undefined>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}

/** @param options `allowHalfOpen`: the client can go on sending after the server has sent its last byte */
export function rawConnection(url: string, options: { allowHalfOpen?: boolean } = {}): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...options })
  let received = Buffer.alloc(0)
  let ended = false
  let wake = () => {}
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = true
    wake()
  })
  const more = () => new Promise<void>((resolve) => (wake = resolve))

  return {
    socket,
    write: (text) => socket.write(text),
    async reply(toHead = false) {
      for (;;) {
        const head = received.indexOf('\r\n\r\n')
        const parsed = head < 0 ? undefined : headOf(received.toString('latin1', 0, head))
        const length = toHead ? 0 : Number(parsed?.headers.get('content-length') ?? 0)
        if (parsed && received.length >= head + 4 + length) {
          const body = received.toString('utf8', head + 4, head + 4 + length)
          received = received.subarray(head + 4 + length)
          const isJson = parsed.headers.get('content-type')?.startsWith('application/json')
          return { ...parsed, body: isJson && body ? JSON.parse(body) : body }
        }
        if (ended) return undefined
        await more()
      }
    },
    async closed() {
      while (!ended) await more()
    },
  }
}

/** Sends these bytes on a new connection. Returns the response. */
export async function rawRequest(url: string, text: string | Uint8Array): Promise<RawReply | undefined> {
  const connection = rawConnection(url)
  connection.write(text)
  const reply = await connection.reply(text.toString().startsWith('HEAD '))
  connection.socket.destroy()
  return reply
}

function headOf(text: string): Pick<RawReply, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { status: Number(statusLine.split(' ')[1]), headers }
}
