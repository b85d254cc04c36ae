import { byteCache } from './byte-cache.ts'
import { CachedJson } from './cached-json.ts'

/**
 * Returns the cached value of a name if every input is still `===` to the input it was made from. Otherwise calls `make` and
 * caches the result.
 * @param name key of the cache. The cache holds one value for each name.
 * @param inputs everything that the value depends on. The caller reads the inputs for each call, so that the cache never
 * returns outdated data.
 * @returns the same `CachedJson` for the same inputs, so that its JSON is also reused
 */
export type PresentationCache = <Value extends object>(
  name: string,
  inputs: readonly unknown[],
  make: () => Value,
) => CachedJson<Value>

/** The bytes of an entry beside its texts: the objects of inputs and value, and the fixed part of the JSON. */
const entryBytes = 4096
/** A text of an input is in the inputs, often in the value, and in the JSON. */
const copiesOfText = 3

/** @param maxBytes approximate maximum of the memory for inputs, values and their JSON, in bytes */
export function presentationCache(maxBytes: number): PresentationCache {
  const entries = byteCache<{ inputs: readonly unknown[]; cached: CachedJson<object> }>(maxBytes)
  return (name, inputs, make) => {
    const entry = entries.get(name)
    if (entry && areSame(entry.inputs, inputs)) return entry.cached as never
    const cached = new CachedJson(make())
    entries.set(name, { inputs, cached }, bytesOf(inputs))
    return cached
  }
}

function bytesOf(inputs: readonly unknown[]): number {
  let bytes = entryBytes
  for (const input of inputs) if (typeof input === 'string') bytes += copiesOfText * input.length
  return bytes
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
