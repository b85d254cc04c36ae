import { hash } from 'node:crypto'
import fastJsonStringify from 'fast-json-stringify'
import { CachedJson, type MaybeCached, plain } from '../lib/cached-json.ts'

/**
 * Creates a function that writes JSON by a schema. The value, or each item of a list, may be a `CachedJson`: its JSON is written
 * once for each writer and copied afterwards.
 */
export function writerOf(schema: object): (value: unknown) => string {
  const { type, items } = schema as { type?: string; items?: object }
  const isList = type === 'array' && items !== undefined
  const isRecursive = isList && JSON.stringify(schema).includes('"$ref"')
  if (isRecursive) {
    const writeList = fastJsonStringify(schema)
    return (list) => writeList((list as readonly MaybeCached<object>[]).map(plain))
  }
  return isList ? listWriter(fastJsonStringify(items)) : valueWriter(fastJsonStringify(schema))
}

type Write = (value: unknown) => string

function valueWriter(write: Write): Write {
  const writeCached = cachedWriter(write)
  return (value) => (value instanceof CachedJson ? asText(writeCached(value).bytes) : write(value))
}

function listWriter(writeItem: Write): Write {
  const writeCached = cachedWriter(writeItem)
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
    return asText(bytes)
  }
}

/** Fastify sends bytes as well as text, but its types allow only text. */
const asText = (bytes: Buffer) => bytes as unknown as string

function cachedWriter(write: Write): (item: CachedJson<object>) => CachedBytes {
  const cache = new WeakMap<CachedJson<object>, CachedBytes>()
  return (item) => {
    const known = cache.get(item)
    if (known) return known
    const bytes = ownBytes(write(item.value))
    const written = { bytes, tag: tagOf(bytes) }
    tags.set(bytes, written.tag)
    cache.set(item, written)
    return written
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

/** Tags of cached JSON, and of lists in which every item is cached. */
const tags = new WeakMap<object, string>()

/** Returns a tag of 27 characters that is the same for the same JSON. */
export function tagOf(json: string | Buffer): string {
  return (typeof json === 'string' ? undefined : tags.get(json)) ?? hash('sha1', json, 'base64url')
}
