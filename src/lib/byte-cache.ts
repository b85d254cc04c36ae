/** A cache whose size in bytes is limited. Entries that were used since the last eviction stay longer than others. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  /**
   * Caches a value, unless it is larger than the cache.
   * @param bytes the approximate size of the value in memory, in bytes
   */
  set(key: string, value: Value, bytes: number): void
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
  isUsed: boolean
}

/** @param maxBytes the maximum size of all entries together, in bytes */
export function byteCache<Value>(maxBytes: number): ByteCache<Value> {
  /** In the order of eviction. */
  const entries = new Map<string, Entry<Value>>()
  let total = 0

  function remove(key: string, { bytes }: Entry<Value>): void {
    entries.delete(key)
    total -= bytes
  }

  /** Evicts the first entry. One that was used since it came there moves to the end instead, once. */
  function evict(): void {
    for (const [key, entry] of entries) {
      remove(key, entry)
      if (!entry.isUsed) return
      entry.isUsed = false
      entries.set(key, entry)
      total += entry.bytes
    }
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.isUsed = true
      return entry.value
    },
    set(key, value, bytes) {
      const earlier = entries.get(key)
      if (earlier) remove(key, earlier)
      if (bytes > maxBytes) return
      while (total + bytes > maxBytes) evict()
      entries.set(key, { value, bytes, isUsed: false })
      total += bytes
    },
  }
}
