import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type ReadWorkbook, readBack } from '../../test/support/workbooks.ts'
import { type Cell, Moment } from './spreadsheet.ts'
import { xlsxOf } from './xlsx.ts'

async function* batchesOf(batches: Cell[][][]) {
  yield* batches
}

async function readWritten(columns: string[], batches: Cell[][][], sheet = 'Sheet'): Promise<ReadWorkbook> {
  return readBack(await buffer(xlsxOf({ columns, rows: batchesOf(batches) }, sheet)))
}

describe('a workbook', () => {
  it('has the given cells: text, numbers, times and empty cells', async () => {
    const moment = Date.UTC(2026, 10, 21, 15, 42, 7)
    const columns = ['A', 'B', 'C', 'D']
    const { rows } = await readWritten(columns, [
      [['a', 1.5, new Moment(moment), undefined]],
      [['b', -2, 'c', 0]],
    ])
    expect(rows).toEqual([columns, ['a', 1.5, new Date(moment), null], ['b', -2, 'c', 0]])
  })

  it('has a header that is bold and frozen and has filters', async () => {
    const { look } = await readWritten(['A', 'B'], [[['a', 'b']], [['c', 'd']]])
    expect(look).toEqual({ filters: ['A1:B3'], frozenRows: [1], bold: ['A1', 'B1'], formulas: 0 })
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '＝1'])('escapes the formula %j', async (cell) => {
    const { rows, look } = await readWritten(['A'], [[[cell]]])
    expect(rows[1]?.[0]).toBe(`'${cell}`)
    expect(look.formulas).toBe(0)
  })

  it('keeps XML markup and characters that XML does not allow', async () => {
    const texts = [
      '<b>&amp;"x"',
      ' a  b ',
      'a\nb',
      'a\r\nb',
      'Jürgen 🎻',
      ']]>',
      '_x0041_',
      'a\u0001\u{FFFE}b',
    ]
    const { rows } = await readWritten(['A'], [texts.map((text) => [text])])
    expect(rows.slice(1).map(([text]) => text)).toEqual(texts)
  })

  it('replaces characters that the name of a sheet cannot have', async () => {
    expect((await readWritten(['A'], [], 'Band: [B] / "Étude" *?')).sheet).toBe('Band   B    "Étude"')
    expect((await readWritten(['A'], [], 'x'.repeat(40))).sheet).toHaveLength(31)
    expect((await readWritten(['A'], [], '///')).sheet).toBe('Sheet')
    expect((await readWritten(['A'], [], "'A'")).sheet).toBe('A')
  })

  it('fails with the error of its rows', async () => {
    async function* rows(): AsyncGenerator<Cell[][]> {
      yield [['a']]
      throw new Error('away')
    }
    await expect(buffer(xlsxOf({ columns: ['A'], rows: rows() }, 'S'))).rejects.toThrow('away')
  })

  it('reads rows only as fast as the file is read, and stops when the reader stops', async () => {
    let batches = 0
    let ended = false
    async function* rows(): AsyncGenerator<Cell[][]> {
      try {
        for (; batches < 10_000; batches++)
          yield Array.from({ length: 100 }, () => [Math.random().toString(36)])
      } finally {
        ended = true
      }
    }
    let read = 0
    for await (const bytes of xlsxOf({ columns: ['A'], rows: rows() }, 'S')) {
      read += bytes.length
      if (read > 100_000) break
    }
    await expect.poll(() => ended).toBe(true)
    expect(batches).toBeLessThan(1000)
  })
})
