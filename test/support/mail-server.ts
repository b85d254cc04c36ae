import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll } from 'vitest'
import type { SettingName } from '../../src/config.ts'

interface Received {
  /** The raw mails that the server has received, the oldest first. */
  readonly mails: readonly string[]
}

interface MailServer extends Received {
  readonly url: string
  /** The number of connections that clients have opened. */
  connectionCount(): number
  /** Closes the connections of all clients. */
  disconnect(): void
  close(): Promise<void>
}

type Settings = Partial<Record<SettingName, string>>

/**
 * Starts a mail server for the tests of this file. `settings` returns the settings that make a server use it,
 * with other settings added.
 */
export function useMailServer(): Received & { settings(others?: Settings): Settings } {
  let server: MailServer
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server?.close())
  return {
    get mails() {
      return server.mails
    },
    settings: (others = {}) => ({
      ...others,
      // The port is not known yet when the tests are declared.
      get smtpUrl() {
        return server.url
      },
    }),
  }
}

/** Decodes the quoted-printable text of a mail (RFC 2045, section 6.7). */
export const readable = (mail = ''): string =>
  mail
    .replace(/=\n/g, '')
    .replace(/(=[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll('=', '%')))

/** Starts a mail server that accepts every mail (RFC 5321). */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    receive(socket, (mail) => mails.push(mail)).catch(() => socket.destroy())
  })
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    connectionCount: () => sockets.size,
    disconnect,
    async close() {
      disconnect()
      server.close()
      await once(server, 'close')
    },
  }
}

async function receive(socket: Socket, keep: (mail: string) => void): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 ready')
  let mail: string[] | undefined
  for await (const line of createInterface({ input: socket })) {
    if (mail && line === '.') {
      keep(mail.join('\n'))
      mail = undefined
      say('250 taken')
    } else if (mail) mail.push(line)
    else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else if (/^DATA/i.test(line)) {
      mail = []
      say('354 go on')
    } else say('250 ok')
  }
}
