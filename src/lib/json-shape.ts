/** Limits of a JSON text. A limit that is undefined is not checked. */
export interface JsonLimits {
  /** Nesting of arrays and objects. */
  depth: number
  /** Number of values, including the values of members of objects. */
  values: number
  /** Number of objects. */
  objects?: number
  /** Number of different keys. */
  keys?: number
}

/** The limit that a JSON text exceeds, and the index of the first character beyond it. */
export interface JsonExcess {
  limit: keyof JsonLimits
  index: number
}

/**
 * Checks a JSON text against limits before it is parsed, because a few megabytes of brackets, commas or keys become
 * hundreds of megabytes in memory.
 * @returns the first excess, or undefined if the text is within the limits or is not JSON
 */
export function jsonExcess(
  text: string,
  { depth: maxDepth, values: maxValues, objects: maxObjects = maxValues, keys: maxKeys }: JsonLimits,
): JsonExcess | undefined {
  const keys = new Set<string>()
  let lastString = ''
  let depth = 0
  let objects = 0
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    switch (code) {
      case 0x22: {
        const end = endOfString(text, index)
        if (end < 0) return undefined
        if (maxKeys !== undefined) lastString = text.slice(index + 1, end)
        index = end
        break
      }
      case 0x3a:
        if (maxKeys !== undefined && keys.add(lastString).size > maxKeys) return { limit: 'keys', index }
        break
      case 0x5b:
      case 0x7b:
        depth++
        values++
        if (code === 0x7b) objects++
        if (depth > maxDepth) return { limit: 'depth', index }
        if (objects > maxObjects) return { limit: 'objects', index }
        if (values > maxValues) return { limit: 'values', index }
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      case 0x2c:
        values++
        if (values > maxValues) return { limit: 'values', index }
        break
    }
  }
  return undefined
}

/** Returns the index of the quotation mark that ends the string starting at `start`, or -1 if the string does not end. */
function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
  } while (end >= 0 && isEscaped(text, end))
  return end
}

function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text.charCodeAt(start - 1) === 0x5c) start--
  return (index - start) % 2 === 1
}
