import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonLimits, jsonExcess } from './json-shape.ts'

const enough: Required<JsonLimits> = { depth: 1000, values: 1000, objects: 1000, keys: 1000 }

/** What a parsed value has of each. */
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
    // An empty array or object counts as if it held something.
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
  it('lets pass what has as much as it may, and nothing that has more', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), (value) => {
        const text = JSON.stringify(value)
        const shape = shapeOf(value)
        expect(jsonExcess(text, shape)).toBeUndefined()
        for (const limit of ['depth', 'values', 'objects', 'keys'] as const) {
          if (shape[limit] === 0) continue
          expect(jsonExcess(text, { ...enough, [limit]: shape[limit] - 1 })?.limit).toBe(limit)
        }
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  it('says where', () => {
    expect(jsonExcess('{"a":[1,2]}', { ...enough, depth: 1 })).toEqual({ limit: 'depth', index: 5 })
    expect(jsonExcess('{"a":[1,2]}', { ...enough, values: 3 })).toEqual({ limit: 'values', index: 7 })
    expect(jsonExcess('[{},{}]', { ...enough, objects: 1 })).toEqual({ limit: 'objects', index: 4 })
    expect(jsonExcess('{"a":1,"b":2}', { ...enough, keys: 1 })).toEqual({ limit: 'keys', index: 10 })
  })

  it('takes what stands in strings for text', () => {
    expect(jsonExcess('"[[,\\"[\\\\\\"[{"', { ...enough, depth: 0 })).toBeUndefined()
    expect(jsonExcess('["\\\\",[]]', { ...enough, depth: 1 })).toEqual({ limit: 'depth', index: 6 })
  })

  it('leaves what is no JSON to the parser', () => {
    for (const text of ['', '"', '"\\"', '[1', '}}}}', 'nonsense']) expect(jsonExcess(text, enough)).toBeUndefined()
  })
})
