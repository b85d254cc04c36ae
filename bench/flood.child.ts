import { setPriority } from 'node:os'

/** Signs in all the time with wrong passwords, from many sides, until it is told to stop: `node flood.child.ts <url> <sides>`. */

const [url, sides] = process.argv.slice(2)

// What is measured beside it is the server; who signs in has a machine of their own.
setPriority(19)

let goesOn = true
let checked = 0
const attempts = Array.from({ length: Number(sides) }, async (_, who) => {
  for (let n = 0; goesOn; n++) {
    const response = await fetch(`${url}/auth/signin`, {
      method: 'POST',
      headers: { 'x-forwarded-for': `203.0.${who}.${n % 256}`, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ username: n % 2 ? 'ada' : `nobody ${who} ${n}`, password: 'a wrong one' }),
    })
    await response.arrayBuffer()
    if (response.status === 401) checked++
  }
})

process.once('message', async () => {
  goesOn = false
  await Promise.all(attempts)
  process.send?.(checked)
  process.disconnect()
})
