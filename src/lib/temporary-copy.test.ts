import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { growingFile } from './growing-file.ts'
import { temporaryCopy } from './temporary-copy.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('slow readers get the rest of a file that is no longer in memory, from a file without a name', async () => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  const file = growingFile()
  file.add(0, content)
  const readers = [file.stream(), file.stream()]
  const copy = await temporaryCopy(join(folder, 'new'), file.bytes())
  expect(await readdir(join(folder, 'new'))).toEqual([])
  file.end(copy)
  expect(file.bytes()).toHaveLength(0)
  for (const reader of readers) expect((await buffer(reader)).equals(content)).toBe(true)
})
