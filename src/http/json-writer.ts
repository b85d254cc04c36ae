import { hash } from 'node:crypto'
import fastJsonStringify from 'fast-json-stringify'
import { CachedJson, type MaybeCached, plain } from '../lib/cached-json.ts'

/**
 * Creates a function that writes JSON by a schema. Items of a list may be `CachedJson`: their JSON is written once for each
 * writer and copied afterwards.
 */
export function writerOf(schema: object): (value: unknown) => string {
  const { type, items } = schema as { type?: string; items?: object }
  if (type !== 'array' || !items) return fastJsonStringify(schema)
  const isRecursive = JSON.stringify(schema).includes('"$ref"')
  if (isRecursive) {
    const writeList = fastJsonStringify(schema)
    return (list) => writeList((list as readonly MaybeCached<object>[]).map(plain))
  }
  const writeItem = fastJsonStringify(items)
  const cache = new WeakMap<CachedJson<object>, CachedBytes>()
  const writeCached = (item: CachedJson<object>): CachedBytes => {
    const known = cache.get(item)
    if (known) return known
    const bytes = ownBytes(writeItem(item.value))
    const written = { bytes, tag: tagOf(bytes) }
    cache.set(item, written)
    return written
  }
  return (list) => {
    const pieces: Buffer[] = []
    let itemTags: string[] | undefined = []
    for (const item of list as readonly unknown[]) {
      pieces.push(pieces.length === 0 ? opening : comma)
      if (item instanceof CachedJson) {
        const { bytes, tag } = writeCached(item)
        pieces.push(bytes)
        itemTags?.push(tag)
      } else {
        pieces.push(Buffer.from(writeItem(item)))
        itemTags = undefined
      }
    }
    const bytes = Buffer.concat(pieces.length > 0 ? [...pieces, closing] : [opening, closing])
    // Hashing the tags of the items is cheaper than hashing the whole list.
    if (itemTags) tags.set(bytes, hash('sha1', itemTags.join(), 'base64url'))
    // Fastify sends bytes as well as text, but its types allow only text.
    return bytes as unknown as string
  }
}

/**
 * Returns a text as UTF-8 in memory of its own. `Buffer.from` would take a slice of the pool that Node shares among small buffers,
 * and the slice would keep the whole pool of 64 KiB in memory for as long as it is cached.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

interface CachedBytes {
  bytes: Buffer
  tag: string
}

const [opening, comma, closing] = ['[', ',', ']'].map(ownBytes) as [Buffer, Buffer, Buffer]

/** Tags of lists in which every item is cached. */
const tags = new WeakMap<object, string>()

/** Returns a tag of 27 characters that is the same for the same JSON. */
export function tagOf(json: string | Buffer): string {
  return (typeof json === 'string' ? undefined : tags.get(json)) ?? hash('sha1', json, 'base64url')
}
