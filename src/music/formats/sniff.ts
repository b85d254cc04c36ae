import { fileStartOf } from './file-start.ts'
import type { Sniffable } from './format.ts'

/**
 * Finds the format of a file from its content alone. The name of the file plays no part.
 * @param formats the formats to choose from, by name; if two accept a file, the first one wins
 * @returns the name of the format, or undefined if no format accepts the file
 */
export function sniffFormat<Name extends string>(
  bytes: Uint8Array,
  formats: Readonly<Record<Name, Sniffable>>,
): Name | undefined {
  const file = fileStartOf(bytes)
  const names = Object.keys(formats) as Name[]
  const accepts = (name: Name, asFallback: boolean): boolean => {
    const { sniff, isFallback = false } = formats[name]
    return isFallback === asFallback && (sniff?.(file) ?? false)
  }
  return names.find((name) => accepts(name, false)) ?? names.find((name) => accepts(name, true))
}
