/**
 * A value whose JSON may be written once and reused, because neither the value nor anything in it changes any more. Only
 * `presentationCache` creates one. The serializer (src/http/json-writer.ts) caches the JSON of a response, or of an item of a list,
 * that is a `CachedJson`; the JSON of every other value is written for each response.
 */
export class CachedJson<Value extends object> {
  readonly value: Value

  /** Freezes the value, so that a later change of one of its fields throws. */
  constructor(value: Value) {
    this.value = Object.freeze(value)
  }
}

/** A response or an item of a list, with or without cached JSON. */
export type MaybeCached<Value> = Value | (Value extends object ? CachedJson<Value> : never)

/** Returns the plain value of an item. */
export function plain<Value extends object>(item: MaybeCached<Value>): Value {
  return (item instanceof CachedJson ? item.value : item) as Value
}
