import fc from 'fast-check'

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  nullable?: boolean
  pattern?: string
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Sample values by field name, such as ids that exist. Random text would never match one of these. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/**
 * Generates values for a schema. Known values make a value valid beyond its schema: a field that has some gets no other, and a
 * field with an empty list of them is left out. `needed` names optional fields without which an object is refused.
 */
export const validValuesOf = (schema: object, known: Known): fc.Arbitrary<unknown> =>
  generate(schema, known, 'none')

/**
 * Generates values for a schema, some of them with unknown ids, fields of other forms, and invalid parts.
 * @param broken percentage of the nodes that are replaced by junk
 */
export const valuesOf = (schema: object, known: Known, broken: number): fc.Arbitrary<unknown> =>
  generate(schema, known, broken)

function generate(schema: object, known: Known, broken: number | 'none'): fc.Arbitrary<unknown> {
  const isValid = broken === 'none'

  const nodeOf = (part: Schema, name = ''): fc.Arbitrary<unknown> => {
    const valuesByName = valuesForName(part, name)
    return !isValid && broken > 0
      ? fc.oneof({ weight: 100 - broken, arbitrary: valuesByName }, { weight: broken, arbitrary: junk })
      : valuesByName
  }

  const valuesForName = (part: Schema, name: string): fc.Arbitrary<unknown> => {
    const values = part.type === 'array' ? undefined : known[name]
    if (values?.length && isValid) return fc.constantFrom(...values)
    if (values?.length)
      return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, ofType(part, name))
    return part.nullable ? fc.option(ofType(part, name), { freq: 4 }) : ofType(part, name)
  }

  const ofType = (part: Schema, name = ''): fc.Arbitrary<unknown> => {
    if (part.enum) return fc.constantFrom(...part.enum)
    if (part.anyOf) {
      const options = part.anyOf.filter((option) => !hasNoValue(option)).map((option) => nodeOf(option))
      if (isValid) return fc.oneof(...options)
      // One in ten values merges the fields of all options.
      const merged = fc.tuple(...options).map((values) => Object.assign({}, ...values))
      return fc.oneof({ weight: 9, arbitrary: fc.oneof(...options) }, { weight: 1, arbitrary: merged })
    }
    switch (part.type) {
      case 'string':
        if (part.format && formats[part.format]) return formats[part.format] as fc.Arbitrary<string>
        return part.pattern ? fc.stringMatching(new RegExp(part.pattern)) : textOf(part.maxLength)
      case 'integer':
        return fc.integer({ min: part.minimum ?? -1000, max: part.maximum ?? 1000 })
      case 'number':
        return fc.oneof(
          fc.integer({ min: -10, max: 100 }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        )
      case 'boolean':
        return fc.boolean()
      case 'array':
        return fc.array(nodeOf(part.items ?? {}, name), { maxLength: 3 })
      case 'object':
        return objectOf(part)
      default:
        return fc.jsonValue()
    }
  }

  /** Whether a valid value would need a field that has no valid value. */
  const hasNoValue = ({ required = [] }: Schema): boolean =>
    isValid && required.some((name) => known[name]?.length === 0)

  const objectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> => {
    const names = Object.keys(properties).filter((name) => !isValid || known[name]?.length !== 0)
    const fields = Object.fromEntries(names.map((name) => [name, nodeOf(properties[name] as Schema, name)]))
    if (isValid) {
      const needed = (known.needed ?? []) as readonly string[]
      return validObjectOf(fields, [...required, ...needed.filter((name) => name in fields)])
    }
    // Occasionally a required field is missing, or an unknown field is present.
    const needed =
      broken > 0
        ? fc.subarray(required, { minLength: Math.max(0, required.length - 1) })
        : fc.constant(required)
    return needed.chain((requiredKeys) =>
      fc.record<Record<string, unknown>>({ ...fields, unknown: fc.jsonValue() }, { requiredKeys }),
    )
  }

  return nodeOf(schema as Schema)
}

/** Generates objects with a few of the optional fields, because many combinations of fields are refused. */
function validObjectOf(
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: readonly string[],
): fc.Arbitrary<object> {
  const optional = Object.keys(fields).filter((name) => !required.includes(name))
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, 3) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, fields[name] ?? junk]))),
    )
}

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  email: fc.emailAddress(),
  url: fc.webUrl(),
}

const textOf = (maxLength = 60) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.string({ maxLength: Math.min(maxLength, 60), unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 20_000))) },
  )

/** Invalid and hostile values. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, -0.5, 2 ** 53, '', [], {}, [[]], [null], { length: 1 }),
  fc.constantFrom(
    'a\0b',
    '\ud83c',
    '\ufeff',
    '../..',
    '%00',
    "' or 1=1 --",
    '{{x}}',
    '<b>',
    'null',
    'undefined',
  ),
  fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty'),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constant('x'.repeat(50_000)),
  fc.jsonValue(),
)
