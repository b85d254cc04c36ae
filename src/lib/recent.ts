/**
 * What was made of some inputs the last time, if they are still the same; else it is made anew.
 * @param name of what it is made for; for each the last one is kept
 * @param inputs everything that it depends on, compared one by one with `===`
 */
export type Recent = <Value>(name: string, inputs: readonly unknown[], make: () => Value) => Value

/**
 * Spares making again and again what hardly changes, without ever giving out what has changed: the inputs are had anew
 * each time.
 * @param size how many values are kept; beyond that those go that came first
 */
export function recentValues(size: number): Recent {
  const kept = new Map<string, { inputs: readonly unknown[]; value: unknown }>()
  return (name, inputs, make) => {
    const known = kept.get(name)
    if (known && areSame(known.inputs, inputs)) return known.value as never
    const value = make()
    if (!known && kept.size >= size) kept.delete(kept.keys().next().value as string)
    kept.set(name, { inputs, value })
    return value
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
