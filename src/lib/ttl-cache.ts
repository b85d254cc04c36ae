export interface TtlCacheOptions<Value> {
  /** Returns the group of a value, such as the account that it belongs to. */
  groupOf(value: Value): string
  /** How long an entry is used, in milliseconds. Default: 5 seconds. */
  readonly ttl?: number
  /** A new entry beyond this number evicts the oldest one. */
  readonly maxEntries?: number
}

/** A cache whose entries expire after a fixed time. All times are milliseconds since 1970. */
export interface TtlCache<Value> {
  /** Returns the value of this key, or undefined if there is none or it has expired. */
  get(key: string, now: number): Value | undefined
  /** Caches a value. */
  set(key: string, now: number, value: Value): void
  /**
   * Calls `find` and caches its value. Undefined is not cached. Neither is a value whose group was deleted while `find`
   * ran: it may have been read before the change that caused the deletion.
   */
  load(key: string, now: number, find: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Deletes all entries of a group. Call it after the commit of a change that makes them outdated. */
  deleteGroup(group: string): void
}

interface Entry<Value> {
  readonly value: Value
  readonly group: string
  readonly expiresAt: number
}

/** Creates an empty cache. */
export function ttlCache<Value>({
  groupOf,
  ttl = 5000,
  maxEntries = 50_000,
}: TtlCacheOptions<Value>): TtlCache<Value> {
  /** Oldest first. */
  const entries = new Map<string, Entry<Value>>()
  const keysByGroup = new Map<string, Set<string>>()
  /** For each call of `find` that has not resolved yet, the groups that were deleted meanwhile. */
  const pendingLoads = new Set<Set<string>>()

  function set(key: string, now: number, value: Value): void {
    const entry: Entry<Value> = { value, group: groupOf(value), expiresAt: now + ttl }
    deleteKey(key)
    const [oldest] = entries.keys()
    if (entries.size >= maxEntries && oldest !== undefined) deleteKey(oldest)
    entries.set(key, entry)
    const keys = keysByGroup.get(entry.group) ?? new Set()
    keysByGroup.set(entry.group, keys.add(key))
  }

  function deleteKey(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    const keys = keysByGroup.get(entry.group)
    keys?.delete(key)
    if (keys?.size === 0) keysByGroup.delete(entry.group)
  }

  return {
    get(key, now) {
      const entry = entries.get(key)
      return entry && entry.expiresAt > now ? entry.value : undefined
    },
    set,
    async load(key, now, find) {
      const deletedGroups = new Set<string>()
      pendingLoads.add(deletedGroups)
      try {
        const value = await find()
        if (value === undefined) return undefined
        if (!deletedGroups.has(groupOf(value))) set(key, now, value)
        return value
      } finally {
        pendingLoads.delete(deletedGroups)
      }
    },
    deleteGroup(group) {
      for (const deletedGroups of pendingLoads) deletedGroups.add(group)
      for (const key of keysByGroup.get(group) ?? []) deleteKey(key)
    },
  }
}
