import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { type Example, type Examples, exampleServer, readExamples } from '../../src/contract/examples.ts'
import { isOfBytes } from '../../src/contract/schema.ts'
import { describedResponse, Empty, type Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { recordExamples } from './record.ts'
import { withStableValues } from './stable-values.ts'

const stored: Examples = readExamples(exampleServer)
const all: Operation[] = Object.values(operations)

/** The published interface says that this operation always fails. */
const alwaysFails = (operation: Operation) => Object.keys(operation.responses).length === 0

/** Binary files, which a JSON document cannot hold. Their examples have the request and the media type. */
const binary = ['exportSubmissionsReviewsAsExcel', 'getScoreTrackFile']

const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))

/** Returns a schema whose objects have no other fields than the declared ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties'
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
      : closed(value),
  ])
  return { ...Object.fromEntries(parts), ...('properties' in schema && { additionalProperties: false }) }
}

function faultsOf(schema: object, value: unknown): string[] {
  const validate = ajv.compile(closed(schema) as object)
  return validate(value) ? [] : [ajv.errorsText(validate.errors)]
}

/** Returns what is wrong with an example. */
function faults({ params, query, body, responses }: Operation, example: Example): string[] {
  const response = responses[example.status]
  if (response === undefined) return [`the status ${example.status} is not declared`]
  const { files = [], body: answer } = describedResponse(response)
  const names = { ...params?.properties, ...query?.properties }
  return [
    ...Object.keys(params?.properties ?? {}).flatMap((name) =>
      name in example.parameters ? [] : [`no ${name}`],
    ),
    ...Object.entries(example.parameters).flatMap(([name, value]) =>
      name in names ? faultsOf(names[name] as object, value) : [`there is no parameter ${name}`],
    ),
    ...(body && example.body !== undefined ? faultsOf(body, example.body) : []),
    ...(answer ? faultsOf(answer, example.answer) : []),
    ...(answer || response === Empty || files.includes(example.mediaType ?? '')
      ? []
      : [`${example.mediaType} is not declared`]),
  ]
}

describe('the examples of the OpenAPI document', () => {
  it('are there for the body and each successful answer of every operation', () => {
    const missing = all
      .filter((one) => !alwaysFails(one))
      .flatMap((one) => {
        const { id, body, responses } = one
        const examples = stored[id] ?? []
        // 302 sends the client on to a file, and 206 is a part of the file of 200.
        const statuses = Object.keys(responses)
          .map(Number)
          .filter((status) => status < 300 && status !== 206)
        return [
          ...(body && !isOfBytes(body) && examples[0]?.body === undefined ? [`${id}: body`] : []),
          ...statuses.flatMap((status) => {
            const example = examples.find((one) => one.status === status)
            const isAnswered = responses[status] === Empty || example?.answer !== undefined
            return example && (isAnswered || binary.includes(id)) ? [] : [`${id}: ${status}`]
          }),
        ]
      })
    expect(missing).toEqual([])
  })

  it.each(all.map((one) => [one.id, one] as const))(
    'of %s are valid and have only declared fields',
    (id, one) => {
      expect((stored[id] ?? []).flatMap((example) => faults(one, example))).toEqual([])
    },
  )

  it('are of operations that exist', () => {
    expect(Object.keys(stored).filter((id) => !(id in operations))).toEqual([])
  })

  it('are what the demo school answers (`npm run docs:examples` records them)', async () => {
    expect(await recordExamples()).toEqual(stored)
  })
})

describe('stable values', () => {
  it('give an object the same id everywhere, and different objects different ids', () => {
    const [one, two] = ['0190f7a2c0de0000aaaaaaaa', '0190f7a2c0de0001bbbbbbbb']
    const [first, again, second] = withStableValues([{ id: one }, `/scores/${one}/x`, { id: two }]) as [
      { id: string },
      string,
      { id: string },
    ]
    expect(again).toBe(`/scores/${first.id}/x`)
    expect(second.id).not.toBe(first.id)
    expect(first.id).toMatch(/^[0-9a-f]{24}$/)
    expect([one, two]).not.toContain(first.id)
  })

  it('replace codes wherever they occur', () => {
    const [one, path] = withStableValues([{ enrollmentCode: 'k7x2' }, '/classes/enroll/k7x2'])
    expect(one).toEqual({ enrollmentCode: 'enrollmentCode1' })
    expect(path).toBe('/classes/enroll/enrollmentCode1')
  })
})
