import { setPriority } from 'node:os'
import { connectTo } from './connection.ts'

/**
 * Signs in with wrong passwords from many addresses, one attempt after another from each: `node
 * flood.child.ts <url> <connections>`. Starts at the message `go`. At `rest` it waits for the last responses, and answers with the
 * number of attempts since `go` whose password was checked (401).
 */

const [url = '', connectionCount] = process.argv.slice(2)

// Only the server is measured. In reality these clients have machines of their own.
setPriority(19)

const connections = Array.from({ length: Number(connectionCount) }, (_, side) => ({
  side,
  connection: connectTo(url),
}))
let isRunning = false
let tried = 0
let flood: Promise<number[]> | undefined

process.once('disconnect', () => process.exit())

process.on('message', async (message) => {
  isRunning = message === 'go'
  if (isRunning) flood = Promise.all(connections.map(signInAllTheTime))
  else process.send?.((await flood)?.reduce((sum, checked) => sum + checked, 0))
})

async function signInAllTheTime({ side, connection }: (typeof connections)[number]): Promise<number> {
  let checked = 0
  while (isRunning) {
    const n = tried++
    const body = new URLSearchParams({
      username: n % 2 ? 'ada' : `unknown ${n}`,
      password: 'a wrong one',
    }).toString()
    const lines = [
      'POST /auth/signin HTTP/1.1',
      'Host: partita.example',
      'Sec-Fetch-Site: same-origin',
      `X-Forwarded-For: 203.0.${side}.${n % 256}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ]
    if ((await connection.send(`${lines.join('\r\n')}\r\n\r\n${body}`)) === 401) checked++
  }
  return checked
}
