import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { parseKeys } from '../../lib/secret-keys.ts'
import { addKey, readKeyFile } from './key-file.ts'
import { secretBox, SecretError } from './secret-box.ts'

const folder = mkdtempSync(join(tmpdir(), 'partita-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const secret = Buffer.from('hunter2 hunter2')

it('opens a secret only at its place, with its key, and unchanged', () => {
  const keys = [randomBytes(32)]
  const box = secretBox(() => keys)
  const sealed = box.seal(secret, 'webhook 1')
  expect([Buffer.from(box.open(sealed, 'webhook 1')), Buffer.from(sealed).includes(secret)]).toEqual([
    secret,
    false,
  ])
  expect(box.seal(secret, 'webhook 1')).not.toEqual(sealed)
  expect(() => box.open(sealed, 'webhook 2')).toThrow(SecretError)
  expect(() => secretBox(() => [randomBytes(32)]).open(sealed, 'webhook 1')).toThrow(
    /^The key of the secret of webhook 1 is missing\. .* SECRETS_KEY/,
  )
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => box.open(changed, 'webhook 1')).toThrow(SecretError)
  }
  expect(() => box.open(sealed.subarray(0, 20), 'webhook 1')).toThrow('is damaged')
})

it('creates a key that only the owner of the file can read, once', () => {
  const path = join(folder, 'first.key')
  const [key] = readKeyFile(path)
  expect(readKeyFile(path)).toEqual([key])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('encrypts with a new key, and opens what the key before it has encrypted', () => {
  const path = join(folder, 'rotated.key')
  const box = secretBox(() => readKeyFile(path))
  const [before, running] = [box.seal(secret, 'a'), secretBox(() => readKeyFile(path))]
  addKey(path)
  const later = secretBox(() => readKeyFile(path))
  const after = later.seal(secret, 'a')
  expect([later.open(before, 'a'), running.open(after, 'a')]).toEqual([secret, secret])
  expect([later.isCurrent(before), later.isCurrent(after)]).toEqual([false, true])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('reads keys in base64, the current one first, and refuses others without showing them', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)]
  expect(parseKeys(`${one.toString('base64')}, ${two.toString('base64')}\n`)).toEqual([one, two])
  const short = randomBytes(16).toString('base64')
  expect(() => parseKeys(short)).toThrow('expected keys of 32 bytes')
  expect(() => parseKeys(short)).not.toThrow(short)
  expect(readFileSync(join(folder, 'first.key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
})
