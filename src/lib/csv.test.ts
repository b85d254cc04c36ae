import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'
import { type Cell, Moment } from './spreadsheet.ts'

async function csvTextOf(columns: string[], ...batches: Cell[][][]): Promise<string> {
  async function* rows() {
    yield* batches
  }
  return text(Readable.from(csvOf({ columns, rows: rows() })))
}

const parsed = (csv: string): string[][] => parse(csv, { bom: true, record_delimiter: '\r\n' })

describe('CSV', () => {
  it('starts with a byte order mark and ends each line with CR LF', async () => {
    expect(await csvTextOf(['A', 'B'], [['a', 1]], [['b', undefined]])).toBe('\uFEFFA,B\r\na,1\r\nb,\r\n')
  })

  it('quotes fields so that another parser reads the same texts', async () => {
    const texts = ['a,b', 'a "b"', 'a\nb', 'a\r\nb', '', ' a ', 'Jürgen 🎻', '"', ',', "'"]
    const csv = await csvTextOf(['A', 'B'], [texts, [...texts].reverse()])
    expect(parsed(csv.replace('A,B\r\n', ''))).toEqual([texts, [...texts].reverse()])
  })

  it('writes times in UTC and leaves numbers unchanged', async () => {
    const csv = await csvTextOf(['A'], [[new Moment(1_000)], [-1.5], [0], [10_000]])
    expect(parsed(csv).flat()).toEqual(['A', '1970-01-01T00:00:01.000Z', '-1.5', '0', '10000'])
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\u00A0=1',
    '\u200B=1',
    '"=1',
    '＝1',
    '＋1',
    '－1',
    '＠A1',
    '−1',
  ])('escapes the formula %j', async (cell) => {
    expect(parsed(await csvTextOf(['A'], [[cell]]))[1]).toEqual([`'${cell}`])
  })

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; "=1+1"', 'a;\' "=1+1"'],
    ['a\t+1', "a\t'+1"],
    ['Ada\n=1+1', "Ada\n'=1+1"],
    ['Ada\r\n＝1', "Ada\r\n'＝1"],
    ['\t=1', "\t'=1"],
    ['=1;=2', "'=1;'=2"],
  ])('escapes a formula after another separator: %j', async (cell, escaped) => {
    expect(parsed(await csvTextOf(['A'], [[cell]]))[1]).toEqual([escaped])
  })

  it('does not change text that contains such a character after its start', async () => {
    const texts = ['a=1', 'a-b', 'a@b.org', '1+1', 'a; b - c', 'a, -b', 'a\nb']
    expect(parsed((await csvTextOf(['A'], [texts])).replace('A\r\n', ''))).toEqual([texts])
  })
})
