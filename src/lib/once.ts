/** Returns a function that calls `compute` the first time and returns the same value from then on. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
