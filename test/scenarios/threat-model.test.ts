import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('the threat model names only tests that exist, and at least one for each threat', async () => {
  const text = await readFile('docs/threat-model.md', 'utf8')
  const [, defended = ''] = /^## What is defended\n(.*?)^## /ms.exec(text) ?? []
  const rows = defended.split('\n').filter((line) => /^\| (?!threat|-)/.test(line))
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) {
    const tests = [...row.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, path = '']) => path)
    expect(tests, row).not.toEqual([])
    expect(tests.filter((path) => !existsSync(path))).toEqual([])
  }
})
