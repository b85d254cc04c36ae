import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runPartita } from '../../test/support/program.ts'

it('refuses DURABILITY=off, and creates no database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
  try {
    const { code, stderr } = await runPartita(['serve'], { DATA_DIR: dataDir, DURABILITY: 'off' })
    expect(code).not.toBe(0)
    expect(stderr).toBe(
      'partita: DURABILITY: the server needs "full"; with "off" a power cut loses acknowledged writes\n',
    )
    expect(await readdir(dataDir)).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
