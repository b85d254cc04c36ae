import { connect } from 'node:net'

/** A keep-alive connection that sends one request after another. */
export interface RequestConnection {
  /** Resolves when the connection is open. */
  readonly opened: Promise<void>
  /** Sends a whole request, headers and body in Latin-1. Resolves to the status of the response. */
  send(request: string): Promise<number>
  close(): void
}

/**
 * A client that reads only the status and the length of a response. The client and the server share the
 * machine, so a slow client would be measured as a slow server. It refuses a response that has a body without a
 * Content-Length.
 */
export function connectTo(url: string): RequestConnection {
  const { hostname, port } = new URL(url)
  let answer: PromiseWithResolvers<number> | undefined
  /** The start of a response whose headers are not complete. */
  let begun: Buffer | undefined
  /** The status of a response whose headers were read. */
  let status: number | undefined
  /** The number of bytes of the body that have not arrived. */
  let missing = 0

  function receive(bytes: Buffer): void {
    if (status !== undefined) {
      missing -= bytes.length
    } else {
      const received = begun ? Buffer.concat([begun, bytes]) : bytes
      const end = received.indexOf('\r\n\r\n')
      // The socket uses the memory of `bytes` again.
      begun = end < 0 ? Buffer.from(received) : undefined
      if (end < 0) return
      const head = received.toString('latin1', 0, end)
      status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
      missing = end + 4 + bodyLength(head, status) - received.length
    }
    if (missing > 0) return
    const answered = status
    status = undefined
    answer?.resolve(answered)
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback(length, bytes) {
        try {
          receive(Buffer.from(bytes.buffer, bytes.byteOffset, length))
        } catch (error) {
          socket.destroy(error as Error)
        }
        return true
      },
    },
  })
  const opened = Promise.withResolvers<void>()
  opened.promise.catch(() => {})
  socket.on('connect', opened.resolve)
  const fail = (error = new Error('The connection was closed')) => {
    opened.reject(error)
    answer?.reject(error)
  }
  socket.on('error', fail).on('close', () => fail())
  return {
    opened: opened.promise,
    async send(request) {
      if (socket.destroyed) throw new Error('The connection was closed')
      answer = Promise.withResolvers()
      socket.write(request, 'latin1')
      return answer.promise
    },
    close: () => socket.destroy(),
  }
}

function bodyLength(head: string, status: number): number {
  const length = /\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 204 && status !== 304)
    throw new Error(`A response with the status ${status} has no Content-Length`)
  return Number(length ?? 0)
}
