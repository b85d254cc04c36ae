import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align } from './alignment.ts'

function pairs(before: string, after: string): number[] {
  return align([...before], [...after])
}

describe('align', () => {
  it.each([
    ['', '', []],
    ['abc', '', []],
    ['', 'abc', [-1, -1, -1]],
    ['abc', 'abc', [0, 1, 2]],
    ['abc', 'abxc', [0, 1, -1, 2]],
    ['abxc', 'abc', [0, 1, 3]],
    ['abc', 'axc', [0, -1, 2]],
    ['abcd', 'xabcdx', [-1, 0, 1, 2, 3, -1]],
    ['aaaa', 'aaa', [0, 1, 2]],
    ['abcdef', 'acbdxf', [0, 2, -1, 3, -1, 5]],
  ])('pairs %j with %j', (before, after, expected) => {
    expect(pairs(before, after)).toEqual(expected)
  })

  it('pairs only equal items, once, without crossing, and finds as many pairs as the full table', () => {
    const sequence = fc.array(fc.nat(5), { maxLength: 40 })
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const pairs = align(before, after)
        const paired = pairs.filter((at) => at >= 0)
        for (const [index, at] of pairs.entries()) if (at >= 0) expect(before[at]).toBe(after[index])
        expect(paired).toEqual([...new Set(paired)].sort((one, other) => one - other))
        expect(paired).toHaveLength(longestCommon(before, after))
      }),
      { seed: 23, numRuns: 500 },
    )
  })

  it('finds changes in long sequences by the items that occur once', () => {
    const before = Array.from({ length: 10_000 }, (_, index) => (index % 7 === 0 ? -1 : index))
    const after = before.flatMap((item, index) => {
      if (index % 500 === 3) return []
      return index % 500 === 250 ? [-2, item] : [item]
    })
    const pairs = align(before, after)
    expect(pairs.filter((at) => at < 0)).toHaveLength(20)
    for (const [index, at] of pairs.entries()) expect(before[at] ?? -2).toBe(after[index])
  })

  it('finds no pairs in long sequences without unique items', () => {
    const before = Array.from({ length: 10_000 }, (_, index) => (index * index) % 3)
    const after = Array.from({ length: 9_000 }, (_, index) => ((index * index) % 3) + 3)
    expect(align(before, after)).toEqual(after.map(() => -1))
  })
})

/** The length of a longest common subsequence, straight from its definition. */
function longestCommon(before: readonly number[], after: readonly number[]): number {
  let row = new Array<number>(after.length + 1).fill(0)
  for (const item of before) {
    const next = [0]
    for (const [index, other] of after.entries()) {
      next.push(item === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
