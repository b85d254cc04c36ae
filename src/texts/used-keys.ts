/**
 * Finds the texts that source code can show: each key in quotes, and each key that begins with a composed prefix, such as
 * `` `scope.${scope}` ``.
 * @param keys the keys of all texts
 * @returns the keys that the code uses, in the order of `keys`
 */
export function usedKeys(code: string, keys: readonly string[]): string[] {
  const quoted = new Set([...code.matchAll(/'([a-z]\w*(?:\.\w+)+)'/gi)].map(([, key]) => key))
  const prefixes = [...code.matchAll(/`([a-z]\w*\.(?:\w+\.)*)\$\{/gi)].map(([, prefix]) => prefix ?? '')
  return keys.filter((key) => quoted.has(key) || prefixes.some((prefix) => key.startsWith(prefix)))
}
