import Type, { type Static, type TArray, type TSchema, type TString, type TUnsafe } from 'typebox'

/**
 * What the wire types are made of. One schema object serves as run-time validation, TypeScript type, closed response
 * serialization and OpenAPI component, so only forms are used that all four understand alike (JSON Schema as OpenAPI
 * 3.0.3 has it: `enum` instead of `const`, `nullable` instead of a union with null).
 */

/** A schema that is a component of the OpenAPI document, under this name. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, title: name }
}

/** One of these strings. */
export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: { default?: Values[number]; description?: string } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

/** The same, or null. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { enum: values, ...rest } = schema as Schema & { enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({ ...rest, ...(values && { enum: [...values, null] }), nullable: true })
}

/**
 * What a body may say where the published interface sets no limit. Parameters of the address need none: they are no
 * longer than the headers of a request may be.
 */
export function Text(options: { description?: string; default?: string } = {}): TString {
  return Type.String({ maxLength: 10_000, ...options })
}

/** A title, a name: what stands on one line. */
export function Title(options: { description?: string } = {}): TString {
  return Type.String({ maxLength: 1000, ...options })
}

/** A list in a body. */
export function List<Item extends TSchema>(item: Item, options: { description?: string } = {}): TArray<Item> {
  return Type.Array(item, { maxItems: 1000, ...options })
}

/** Marks a parameter that the published interface does not have. */
export const extension = { 'x-partita-extension': true } as const

/** RFC 3339 in UTC with milliseconds. */
export const DateTime = Type.String({ format: 'date-time' })

export const Url = Type.String({ format: 'url' })

/** The component in which it stands: the way to a recursive type. `Value` is the type of one level of it. */
export function Self<Value>(): TUnsafe<Value> {
  return Type.Unsafe<Value>({ $ref: '#' })
}
