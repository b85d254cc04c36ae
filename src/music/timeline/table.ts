/** A table to look up what a file says: in it, `constructor` is a name that nobody knows. */
export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries))
}
