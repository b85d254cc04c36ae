import { describe, expect, it } from 'vitest'
import { operations } from '../operations.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  pattern?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** The size of a score file is limited by the body limit of its operation. */
const files = ['createScore.data', 'convertScore.data', 'createScoreRevision.data']

describe('the body of every operation', () => {
  it('limits the length of each text and list', () => {
    const bodies = Object.values(operations).flatMap(({ id, body }) =>
      body ? [[id, body as Schema] as const] : [],
    )
    expect(bodies.length).toBeGreaterThan(3)
    expect(bodies.flatMap(([id, body]) => unboundedFields(id, body))).toEqual(files)
  })
})

function unboundedFields(where: string, schema: Schema): string[] {
  const isText = schema.type === 'string' && !schema.enum && !schema.pattern
  return [
    ...(isText && schema.maxLength === undefined ? [where] : []),
    ...(schema.type === 'array' && schema.maxItems === undefined ? [where] : []),
    ...(schema.items ? unboundedFields(`${where}[]`, schema.items) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      unboundedFields(`${where}.${name}`, inner),
    ),
    ...(schema.anyOf ?? []).flatMap((inner) => unboundedFields(where, inner)),
  ]
}
