import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a client and a server. A test can interrupt the connection without stopping the server. */
export interface TcpProxy {
  readonly port: number
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections and keeps them open but forwards nothing, like a network that drops packets. */
  swallow(): void
  /** Forwards data again. */
  restore(): Promise<void>
}

export async function startTcpProxy({ hostname, port: farPort }: URL): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isDropping = false
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(farPort), hostname)
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      if (isDropping) from.pause()
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })

  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  const port = await listen(0)
  return {
    port,
    async cut() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    swallow() {
      isDropping = true
      for (const socket of sockets) socket.pause()
    },
    async restore() {
      isDropping = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(port)
    },
  }
}
