/**
 * Returns a function that calls `compute` the first time and returns the same value from then on. A promise that was
 * rejected is forgotten, so that the next call tries again.
 */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined
  return () => {
    if (computed) return computed.value
    const value = compute()
    computed = { value }
    if (value instanceof Promise) {
      value.catch(() => {
        computed = undefined
      })
    }
    return value
  }
}
