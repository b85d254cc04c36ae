import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonLimits, jsonExcess } from './json-shape.ts'

const highLimits: Required<JsonLimits> = { depth: 1000, values: 1000, objects: 1000, keys: 1000 }

/** Counts the depth, values, objects and keys of a parsed value. */
function shapeOf(value: unknown): Required<JsonLimits> {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1, objects: 0, keys: 0 }
  const keys = new Set<string>()
  const collect = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return
    for (const [key, item] of Object.entries(inner)) {
      if (!Array.isArray(inner)) keys.add(key)
      collect(item)
    }
  }
  collect(value)
  const inner = Object.values(value).map(shapeOf)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    // An empty array or object counts as if it contained one value.
    values:
      1 +
      Math.max(
        1,
        inner.reduce((sum, { values }) => sum + values, 0),
      ),
    objects: inner.reduce((sum, { objects }) => sum + objects, Array.isArray(value) ? 0 : 1),
    keys: keys.size,
  }
}

describe('jsonExcess', () => {
  it('accepts JSON that reaches a limit and refuses JSON that exceeds it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), (value) => {
        const text = JSON.stringify(value)
        const shape = shapeOf(value)
        expect(jsonExcess(text, shape)).toBeUndefined()
        for (const limit of ['depth', 'values', 'objects', 'keys'] as const) {
          if (shape[limit] === 0) continue
          expect(jsonExcess(text, { ...highLimits, [limit]: shape[limit] - 1 })?.limit).toBe(limit)
        }
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  it('returns the index of the first excess', () => {
    expect(jsonExcess('{"a":[1,2]}', { ...highLimits, depth: 1 })).toEqual({ limit: 'depth', index: 5 })
    expect(jsonExcess('{"a":[1,2]}', { ...highLimits, values: 3 })).toEqual({ limit: 'values', index: 7 })
    expect(jsonExcess('[{},{}]', { ...highLimits, objects: 1 })).toEqual({ limit: 'objects', index: 4 })
    expect(jsonExcess('{"a":1,"b":2}', { ...highLimits, keys: 1 })).toEqual({ limit: 'keys', index: 10 })
  })

  it('ignores brackets and commas in strings', () => {
    expect(jsonExcess('"[[,\\"[\\\\\\"[{"', { ...highLimits, depth: 0 })).toBeUndefined()
    expect(jsonExcess('["\\\\",[]]', { ...highLimits, depth: 1 })).toEqual({ limit: 'depth', index: 6 })
  })

  it('returns undefined for text that is not JSON', () => {
    for (const text of ['', '"', '"\\"', '[1', '}}}}', 'nonsense'])
      expect(jsonExcess(text, highLimits)).toBeUndefined()
  })
})
