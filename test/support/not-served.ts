import type { TSchema } from 'typebox'
import { notServed, schemasOf } from '../../src/contract/not-served.ts'

/** A field of a response that must be absent, or must not have some values. `[]` is every item of a list. */
interface Absence {
  readonly path: readonly string[]
  readonly entry: string
  /** The value that does not occur. Undefined if the field is never filled. */
  readonly value: string | undefined
}

const absences = [...Object.keys(notServed.fields), ...Object.keys(notServed.values)].flatMap((entry) => {
  const [path = '', value] = entry.split(': ')
  const [schema = '', field = ''] = path.split('.')
  return schemasOf(schema).map((title) => ({ title, field, entry, value }))
})
const known = new Map<TSchema, readonly Absence[]>()

/** Finds the fields of a schema that src/contract/not-served.ts lists. */
function absencesIn(schema: TSchema): readonly Absence[] {
  const found: Absence[] = []
  const visit = (node: TSchema & { title?: string }, path: readonly string[]): void => {
    const { title, items, properties } = node as TSchema & {
      title?: string
      items?: TSchema
      properties?: Record<string, TSchema>
    }
    if (items) visit(items, [...path, '[]'])
    for (const [field, inner] of Object.entries(properties ?? {})) {
      const here = [...path, field]
      const listed = absences.filter((one) => one.title === title && one.field === field)
      for (const { entry, value } of listed) found.push({ path: here, entry, value })
      visit(inner, here)
    }
  }
  visit(schema, [])
  return found
}

/** @throws Error if a response contains a field or value that the documentation says is not served */
export function checkNotServed(where: string, schema: TSchema, body: unknown): void {
  let listed = known.get(schema)
  if (!listed) {
    listed = absencesIn(schema)
    known.set(schema, listed)
  }
  for (const { path, entry, value } of listed) {
    const present = valuesAt(body, path).filter((one) => value === undefined || one === value)
    if (present.length > 0) throw new Error(`${where}: src/contract/not-served.ts lists ${entry}`)
  }
}

/** Returns the values at a path that are neither undefined nor null. */
function valuesAt(node: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (node === undefined || node === null) return []
  if (step === undefined) return [node]
  if (step === '[]') return (node as unknown[]).flatMap((item) => valuesAt(item, rest))
  return valuesAt((node as Record<string, unknown>)[step], rest)
}
