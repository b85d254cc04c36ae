/** An element of a score in the JSON form (docs/json-format.md): its text, or its attributes and children. */
export type JsonElement = string | { readonly [name: string]: unknown }

/** A score in the JSON form. */
export interface JsonDocument {
  readonly 'score-partwise': { readonly [name: string]: unknown }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the children with a name. */
export function all(element: unknown, name: string): JsonElement[] {
  const value = isObject(element) ? element[name] : undefined
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]) as JsonElement[]
}

/** Returns the first child with a name. */
export const first = (element: unknown, name: string): JsonElement | undefined => all(element, name)[0]

/** Returns the text of an element. */
export function textOf(element: unknown): string {
  if (typeof element === 'string') return element
  const text = isObject(element) ? element['#text'] : undefined
  return typeof text === 'string' ? text : ''
}

/** Returns the text of the first child with a name; undefined if there is none. */
export function textAt(element: unknown, name: string): string | undefined {
  const child = first(element, name)
  return child === undefined ? undefined : textOf(child)
}

/** Returns the number in the first child with a name; undefined if there is none. */
export function numberAt(element: unknown, name: string): number | undefined {
  const text = textAt(element, name)
  const value = Number(text)
  return text === undefined || text.trim() === '' || Number.isNaN(value) ? undefined : value
}

/** Returns an attribute. */
export function attribute(element: unknown, name: string): string | undefined {
  const value = isObject(element) ? element[`$${name}`] : undefined
  return typeof value === 'string' ? value : undefined
}

export interface Child {
  readonly name: string
  readonly element: JsonElement
  /** The place among the children of this name. */
  readonly index: number
}

/** Returns all children in their order, which `$order` tells if names alternate. */
export function children(element: unknown): Child[] {
  if (!isObject(element)) return []
  const names = Object.keys(element).filter((name) => !/^[$#]/.test(name))
  const order = element.$order
  const used = new Map<string, number>()
  const take = (name: string, count: number): Child[] => {
    const start = used.get(name) ?? 0
    used.set(name, start + count)
    return all(element, name)
      .slice(start, start + count)
      .map((child, offset) => ({ name, element: child, index: start + offset }))
  }
  if (!Array.isArray(order)) return names.flatMap((name) => take(name, all(element, name).length))
  return order.flatMap((name: unknown, at: number) => {
    const next: unknown = order[at + 1]
    return typeof name === 'string' ? take(name, typeof next === 'number' ? next : 1) : []
  })
}

/** Returns the names of the children, each once. */
export const childNames = (element: unknown): string[] => [
  ...new Set(children(element).map(({ name }) => name)),
]
