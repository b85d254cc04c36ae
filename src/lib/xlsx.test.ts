import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type ReadWorkbook, readBack } from '../../test/support/workbooks.ts'
import { type Cell, Moment } from './spreadsheet.ts'
import { xlsxOf } from './xlsx.ts'

async function* portionsOf(portions: Cell[][][]) {
  yield* portions
}

async function written(columns: string[], portions: Cell[][][], sheet = 'Sheet'): Promise<ReadWorkbook> {
  return readBack(await buffer(xlsxOf({ columns, rows: portionsOf(portions) }, sheet)))
}

describe('a workbook', () => {
  it('has the cells that it was given: text, numbers, moments and nothing', async () => {
    const moment = Date.UTC(2026, 10, 21, 15, 42, 7)
    const columns = ['A', 'B', 'C', 'D']
    const { rows } = await written(columns, [[['a', 1.5, new Moment(moment), undefined]], [['b', -2, 'c', 0]]])
    expect(rows).toEqual([columns, ['a', 1.5, new Date(moment), null], ['b', -2, 'c', 0]])
  })

  it('has a header that is bold, stays in sight and filters', async () => {
    const { look } = await written(['A', 'B'], [[['a', 'b']], [['c', 'd']]])
    expect(look).toEqual({ filters: ['A1:B3'], frozenRows: [1], bold: ['A1', 'B1'], formulas: 0 })
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is no formula', async (cell) => {
    const { rows, look } = await written(['A'], [[[cell]]])
    expect(rows[1]?.[0]).toBe(`'${cell}`)
    expect(look.formulas).toBe(0)
  })

  it('keeps what XML would take for its own, or cannot have', async () => {
    const texts = ['<b>&amp;"x"', ' a  b ', 'a\nb', 'a\r\nb', 'Jürgen 🎻', ']]>', '_x0041_', 'a\u0001\u{FFFE}b']
    const { rows } = await written(['A'], [texts.map((text) => [text])])
    expect(rows.slice(1).map(([text]) => text)).toEqual(texts)
  })

  it('bears a name that a sheet can have', async () => {
    expect((await written(['A'], [], 'Band: [B] / "Étude" *?')).sheet).toBe('Band   B    "Étude"')
    expect((await written(['A'], [], 'x'.repeat(40))).sheet).toHaveLength(31)
    expect((await written(['A'], [], '///')).sheet).toBe('Sheet')
    expect((await written(['A'], [], "'A'")).sheet).toBe('A')
  })

  it('ends with the error of its rows', async () => {
    async function* rows(): AsyncGenerator<Cell[][]> {
      yield [['a']]
      throw new Error('away')
    }
    await expect(buffer(xlsxOf({ columns: ['A'], rows: rows() }, 'S'))).rejects.toThrow('away')
  })

  it('reads no more rows than are wanted, and none any more once nobody reads it', async () => {
    let portions = 0
    let ended = false
    async function* rows(): AsyncGenerator<Cell[][]> {
      try {
        for (; portions < 10_000; portions++) yield Array.from({ length: 100 }, () => [Math.random().toString(36)])
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
    expect(portions).toBeLessThan(1000)
  })
})
