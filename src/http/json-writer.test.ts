import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { CachedJson } from '../lib/cached-json.ts'
import { tagOf, writerOf } from './json-writer.ts'

const item = { type: 'object', properties: { name: { type: 'string' } } }
const text = (json: string | Buffer) => json.toString()

describe('writerOf', () => {
  it('writes lists of plain and cached items alike', () => {
    const write = writerOf({ type: 'array', items: item })
    expect(text(write([{ name: 'a', secret: 1 }, new CachedJson({ name: 'b', secret: 2 })]))).toBe(
      '[{"name":"a"},{"name":"b"}]',
    )
    expect(text(write([]))).toBe('[]')
  })

  it('reads the value of a cached item once', () => {
    let reads = 0
    const cached = new CachedJson({
      get name() {
        reads += 1
        return 'a'
      },
    })
    const write = writerOf({ type: 'array', items: item })
    expect([write([cached]), write([cached])].map(text)).toEqual(['[{"name":"a"}]', '[{"name":"a"}]'])
    expect(reads).toBe(1)
  })

  it('writes the JSON of a cached value once, with the tag that its text has', () => {
    const write = writerOf(item)
    const cached = new CachedJson({ name: 'ä', secret: 1 })
    expect(text(write(cached))).toBe('{"name":"ä"}')
    expect(write(cached)).toBe(write(cached))
    expect(tagOf(write(cached))).toBe(tagOf(write(cached.value)))
  })

  it('caches the JSON of an item in no more memory than its length', async () => {
    const write = writerOf({ type: 'array', items: item })
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const allocated = async () => {
      collectGarbage()
      // The memory of collected buffers is released in the background, and counted at the next collection.
      await new Promise(setImmediate)
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const name = 'a'.repeat(1000)
    const before = await allocated()
    const cached = Array.from({ length: 500 }, () => {
      const one = new CachedJson({ name })
      write([one])
      // The rest of a pool of Node is used by other buffers.
      for (let used = 0; used < 64; used++) Buffer.from(name)
      return one
    })
    expect(((await allocated()) - before) / cached.length).toBeLessThan(4096)
    expect(text(write(cached.slice(0, 1)))).toBe(JSON.stringify([{ name }]))
  })

  it('does not cache a plain item that is frozen', () => {
    const tree = { name: 'a', child: { name: 'b' } }
    const write = writerOf({ type: 'array', items: { type: 'object', properties: { child: item } } })
    write([Object.freeze(tree)])
    tree.child.name = 'c'
    expect(text(write([tree]))).toBe('[{"child":{"name":"c"}}]')
  })

  it('writes cached items of a recursive schema', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/items' } } },
    }
    const write = writerOf({ type: 'array', items: node })
    expect(text(write([new CachedJson({ name: 'a', children: [{ name: 'b', children: [] }] })]))).toBe(
      '[{"name":"a","children":[{"name":"b","children":[]}]}]',
    )
  })
})

describe('tagOf', () => {
  it('is the same for the same list of cached items, and another one for other items', () => {
    const write = writerOf({ type: 'array', items: item })
    const [first, same, second] = ['a', 'a', 'b'].map((name) => new CachedJson({ name }))
    expect(tagOf(write([first, second]))).toBe(tagOf(write([same, second])))
    expect(tagOf(write([first]))).not.toBe(tagOf(write([second])))
    expect(tagOf(write([first, second]))).not.toBe(tagOf(write([second, first])))
  })
})
