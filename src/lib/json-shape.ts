/** What JSON may have at most; what is not limited is not counted. */
export interface JsonLimits {
  /** Arrays and objects within one another. */
  depth: number
  /** Values, members of objects included. */
  values: number
  objects?: number
  /** Different keys. */
  keys?: number
}

/** Which limit is passed, and the index of the character at which it is. */
export interface JsonExcess {
  limit: keyof JsonLimits
  index: number
}

/**
 * Where JSON first goes beyond a limit; undefined where it does not, or is no JSON. For a look before it is parsed:
 * a few megabytes of brackets, commas or keys become hundreds in memory.
 */
export function jsonExcess(
  text: string,
  { depth: mostDeep, values: mostValues, objects: mostObjects = mostValues, keys: mostKeys }: JsonLimits,
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
        if (mostKeys !== undefined) lastString = text.slice(index + 1, end)
        index = end
        break
      }
      case 0x3a:
        if (mostKeys !== undefined && keys.add(lastString).size > mostKeys) return { limit: 'keys', index }
        break
      case 0x5b:
      case 0x7b:
        depth++
        values++
        if (code === 0x7b) objects++
        if (depth > mostDeep) return { limit: 'depth', index }
        if (objects > mostObjects) return { limit: 'objects', index }
        if (values > mostValues) return { limit: 'values', index }
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      case 0x2c:
        values++
        if (values > mostValues) return { limit: 'values', index }
        break
    }
  }
  return undefined
}

/** The index of the quotation mark that ends the string which begins at `start`; -1 where there is none. */
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
