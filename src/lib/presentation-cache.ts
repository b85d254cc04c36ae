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

/** @param size maximum number of cached values. A new name evicts the oldest one. */
export function presentationCache(size: number): PresentationCache {
  const entries = new Map<string, { inputs: readonly unknown[]; cached: CachedJson<object> }>()
  return (name, inputs, make) => {
    const entry = entries.get(name)
    if (entry && areSame(entry.inputs, inputs)) return entry.cached as never
    const cached = new CachedJson(make())
    if (!entry && entries.size >= size) entries.delete(entries.keys().next().value as string)
    entries.set(name, { inputs, cached })
    return cached
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
