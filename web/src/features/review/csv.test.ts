import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('quotes what would break a field, and keeps formulas from running', () => {
  const rows = [
    ['Name', 'Canon, first part'],
    ['Ann "the cello" Arp', 17.5],
    ['=HYPERLINK("https://evil.example")', undefined],
    ['-1+1', 'two\nlines'],
  ]
  expect(csvOf(rows)).toBe(
    [
      '\uFEFFName,"Canon, first part"',
      '"Ann ""the cello"" Arp",17.5',
      `"'=HYPERLINK(""https://evil.example"")",`,
      `'-1+1,"two\nlines"`,
      '',
    ].join('\r\n'),
  )
})
