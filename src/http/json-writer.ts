import { hash } from 'node:crypto'
import fastJsonStringify from 'fast-json-stringify'

/** Writes JSON by a schema. Of a list, what is frozen is written once and copied afterwards. */
export function writerOf(schema: object): (value: unknown) => string {
  const { type, items } = schema as { type?: string; items?: object }
  const refersToWhole = JSON.stringify(schema).includes('"$ref"')
  if (type !== 'array' || !items || refersToWhole) return fastJsonStringify(schema)
  const writeItem = fastJsonStringify(items)
  const known = new WeakMap<object, Written>()
  const written = (item: unknown): Written => {
    const isFixed = typeof item === 'object' && item !== null && Object.isFrozen(item)
    const earlier = isFixed ? known.get(item) : undefined
    if (earlier) return earlier
    const bytes = Buffer.from(writeItem(item))
    if (!isFixed) return { bytes, tag: '' }
    const fixed = { bytes, tag: tagOf(bytes) }
    known.set(item, fixed)
    return fixed
  }
  return (list) => {
    const parts = (list as readonly unknown[]).map(written)
    const pieces = parts.flatMap(({ bytes }, index) => [index === 0 ? opening : comma, bytes])
    const bytes = Buffer.concat(parts.length > 0 ? [...pieces, closing] : [opening, closing])
    if (parts.every(({ tag }) => tag)) tags.set(bytes, hash('sha1', parts.map(({ tag }) => tag).join(), 'base64url'))
    // Fastify sends bytes as well as text; its types know of text only.
    return bytes as unknown as string
  }
}

interface Written {
  bytes: Buffer
  /** Empty where it would be used once. */
  tag: string
}

const [opening, comma, closing] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/** Those of lists whose items are known by theirs. */
const tags = new WeakMap<object, string>()

/** Tells JSON that was written here from any other: 27 characters, the same for the same. */
export function tagOf(json: string | Buffer): string {
  return (typeof json === 'string' ? undefined : tags.get(json)) ?? hash('sha1', json, 'base64url')
}
