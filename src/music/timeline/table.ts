/** Creates a lookup table for values from a file. Names such as `constructor` are not found in it. */
export function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries))
}
