import Type, { type Static, type TArray, type TSchema, type TString, type TUnsafe } from 'typebox'

/**
 * Builders of the wire types. One schema object is the source of run-time validation, TypeScript type,
 * response serialization and OpenAPI component. Use only forms that all four support: JSON Schema as in
 * OpenAPI 3.0.3, with `enum` instead of `const` and `nullable` instead of a union with null.
 */

/** Makes a schema a component of the OpenAPI document with this name. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, title: name }
}

/** A string with a fixed set of values. */
export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: { default?: Values[number]; description?: string } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

/** Makes a schema accept null too. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { enum: values, ...rest } = schema as Schema & { enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    ...(values && { enum: [...values, null] }),
    nullable: true,
  })
}

/**
 * A text in a body for which the published interface sets no limit. Parameters of path and query need no
 * limit, because the size of the request headers limits them.
 */
export function Text(options: { description?: string; default?: string } = {}): TString {
  return Type.String({ maxLength: 10_000, ...options })
}

/** A title or name: a single line of text. */
export function Title(options: { description?: string } = {}): TString {
  return Type.String({ maxLength: 1000, ...options })
}

/** A list in a body. */
export function List<Item extends TSchema>(item: Item, options: { description?: string } = {}): TArray<Item> {
  return Type.Array(item, { maxItems: 1000, ...options })
}

/** Marks a parameter or field that the published interface does not have. */
export const extension = { 'x-partita-extension': true } as const

/**
 * Marks a field of a body that is a secret, such as a password or a code. Nothing that is derived from its value is stored
 * for a repeated request (http/idempotency.ts).
 */
export const secret = { writeOnly: true } as const

/** Returns the names of the secret fields of a body, at any depth. */
export function secretFieldsOf(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (part: unknown, name?: string): void => {
    if (typeof part !== 'object' || part === null) return
    if (name !== undefined && 'writeOnly' in part && part.writeOnly === true) names.add(name)
    if ('properties' in part)
      for (const [key, member] of Object.entries(part.properties ?? {})) visit(member, key)
    if ('items' in part) visit(part.items, name)
    for (const key of ['anyOf', 'allOf', 'oneOf'] as const) {
      if (key in part) for (const member of (part as Record<typeof key, unknown[]>)[key]) visit(member, name)
    }
  }
  visit(schema)
  return names
}

/** A body of bytes (`application/octet-stream`) instead of JSON. */
export function Bytes(options: { maxLength: number; description?: string }): TUnsafe<Uint8Array> {
  return Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary', ...options })
}

/** Whether a body consists of bytes. */
export const isOfBytes = (body: TSchema | undefined): boolean =>
  body !== undefined && 'format' in body && body.format === 'binary'

/** A date and time in RFC 3339, in UTC with milliseconds. */
export const DateTime = Type.String({ format: 'date-time' })

export const Url = Type.String({ format: 'url' })

/** A reference to the enclosing component, for recursive types. `Value` is the type of one level. */
export function Self<Value>(): TUnsafe<Value> {
  return Type.Unsafe<Value>({ $ref: '#' })
}
