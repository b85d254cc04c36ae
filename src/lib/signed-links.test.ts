import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { linkSigner } from './signed-links.ts'

const file = { blob: 'a'.repeat(64), name: 'Été.pdf', mediaType: 'application/pdf' }
const base = 'https://partita.example'
const clock = { time: 1_800_000_000_000, now: () => clock.time }
const links = linkSigner(createSecretKey(Buffer.alloc(32, 1)), base, clock)
const tokenOf = (url: string) => url.slice(`${base}/files/`.length)

it('returns the file of a link until it expires after 15 minutes', () => {
  const url = links.urlOf(file)
  expect(url).toMatch(/^https:\/\/partita\.example\/files\/[\w.-]+$/)
  expect(links.verify(tokenOf(url))).toEqual({ ...file, millisecondsLeft: 15 * 60 * 1000 })
  clock.time += 15 * 60 * 1000 - 1
  expect(links.verify(tokenOf(url))).toEqual({ ...file, millisecondsLeft: 1 })
  clock.time += 1
  expect(links.verify(tokenOf(url))).toBeUndefined()
})

it('returns undefined for a link that was changed or signed by another installation', () => {
  const token = tokenOf(links.urlOf(file))
  const [payload = '', signature = ''] = token.split('.')
  const other = Buffer.from(JSON.stringify(['b'.repeat(64), 'x', 'y', clock.time + 1e9])).toString(
    'base64url',
  )
  const foreign = tokenOf(linkSigner(createSecretKey(Buffer.alloc(32, 2)), base, clock).urlOf(file))
  for (const forged of [
    `${other}.${signature}`,
    `${payload}.`,
    payload,
    '',
    `${payload}.${signature}x`,
    foreign,
  ]) {
    expect(links.verify(forged)).toBeUndefined()
  }
})
