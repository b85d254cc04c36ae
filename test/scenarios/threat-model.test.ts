import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { settings } from '../../src/config.ts'
import { catalogue } from '../../src/errors.ts'

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

it('the page of limits names only files, settings and errors that exist', async () => {
  const text = await readFile('docs/limits.md', 'utf8')
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  expect(named(/`(src\/[^`]+)`/g).filter((path) => !existsSync(path))).toEqual([])
  const known = new Set([...Object.values(settings).map(({ name }) => name), ...Object.keys(catalogue)])
  const words = named(/`([A-Z]+(?:_[A-Z]+)+)`/g)
  expect(words.length).toBeGreaterThan(15)
  expect(words.filter((word) => !known.has(word))).toEqual([])
})
