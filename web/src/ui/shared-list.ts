import { useSyncExternalStore } from 'react'

/** A list that belongs to no component, so that work on it goes on while the user opens other pages of the app. */
export interface SharedList<Item> {
  now(): readonly Item[]
  set(changed: readonly Item[]): void
  /** Changes one item, unless it has been removed. */
  change(id: string, changes: Partial<Item>): void
  /** Returns the list, and renders again when it changes. */
  use(): readonly Item[]
}

export function sharedList<Item extends { readonly id: string }>(): SharedList<Item> {
  let items: readonly Item[] = []
  const listeners = new Set<() => void>()
  const now = () => items
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  function set(changed: readonly Item[]): void {
    items = changed
    for (const listener of listeners) listener()
  }
  return {
    now,
    set,
    change: (id, changes) => set(items.map((one) => (one.id === id ? { ...one, ...changes } : one))),
    use: () => useSyncExternalStore(subscribe, now),
  }
}
