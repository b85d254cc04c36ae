import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as client from 'flat-api'
import { expect, it } from 'vitest'
import { notServed, schemasOf } from '../src/contract/not-served.ts'
import { openapiDocument } from '../src/contract/openapi.ts'
import { operations } from '../src/operations.ts'
import { interfacePage } from './interface-page.ts'

const root = join(import.meta.dirname, '..')

interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
}
const document = openapiDocument(Object.values(operations), '') as {
  paths: Record<string, Record<string, { responses: unknown }>>
  components: { schemas: Record<string, Schema> }
}
const { schemas } = document.components

it('docs/interface.md lists what is not served (`npm run docs:interface` updates it)', () => {
  const page = readFileSync(join(root, 'docs/interface.md'), 'utf8')
  expect(page).toBe(interfacePage(page))
})

it('every operation of the official client is served, or docs/interface.md says that it is not', () => {
  const page = readFileSync(join(root, 'docs/interface.md'), 'utf8')
  const apis = Object.entries(client).filter(([name]) => name.endsWith('Api'))
  const methods = apis
    .flatMap(([, api]) => Object.getOwnPropertyNames((api as { prototype: object }).prototype))
    .filter((name) => name !== 'constructor' && !/(Raw|RequestOpts)$/.test(name))
  expect(methods).toContain('getAssignment')
  expect(methods.filter((name) => !(name in operations) && !page.includes(`\`${name}\``))).toEqual([])
})

const withoutReference = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema

it('only fields and values of the OpenAPI document are listed as not served', () => {
  for (const entry of Object.keys(notServed.fields)) {
    const [schema = '', field = ''] = entry.split('.')
    expect(
      schemasOf(schema).some((name) => schemas[name]?.properties?.[field]),
      entry,
    ).toBe(true)
  }
  for (const entry of Object.keys(notServed.values)) {
    const [path = '', value] = entry.split(': ')
    const [schema = '', field = ''] = path.split('.')
    const fields = schemasOf(schema).map((name) => withoutReference(schemas[name]?.properties?.[field]))
    expect(
      fields.some((one) => one?.enum?.includes(value)),
      entry,
    ).toBe(true)
  }
})

/** Fields of responses that are stored and returned as they were sent, so no code names them. */
const echoed = ['cover', 'coverFile', 'toolset', 'shuffleExercises', 'restrictPlayNote']
const echoedAsWell = ['restrictToAudioTracks', 'freeRecord', 'prompt', 'choices', 'clef', 'levels']
const echoedOfLatePolicy = ['acceptDays', 'percentPerDay', 'minimumPercent']

/** Returns the names of the components that responses contain. */
function componentsOfResponses(): Set<string> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as Schema
    const name = $ref?.split('/').at(-1)
    if (name === undefined) Object.values(node).forEach(visit)
    else if (!found.has(name)) {
      found.add(name)
      visit(schemas[name])
    }
  }
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) visit(operation.responses)
  return found
}

it('every field of a response is written by a feature or listed as not served', () => {
  const code = globSync('src/features/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  // Answers about instruments repeat what the tables contain.
  const tables = globSync('content/instruments/*.json', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const written = new Set(code.match(/\b\w+\b(?=\s*[:,?(}])/g))
  for (const [, key = ''] of tables.join('\n').matchAll(/"(\w+)":/g)) written.add(key)
  for (const field of [...echoed, ...echoedAsWell, ...echoedOfLatePolicy]) written.add(field)
  const listed = new Set(
    Object.keys(notServed.fields).flatMap((entry) => {
      const [schema = '', field] = entry.split('.')
      return schemasOf(schema).map((name) => `${name}.${field}`)
    }),
  )
  const missing: string[] = []
  const collect = (path: string, schema: Schema | undefined): void => {
    for (const [field, inner] of Object.entries(schema?.properties ?? {})) {
      if (listed.has(`${path}.${field}`)) continue
      if (!written.has(field)) missing.push(`${path}.${field}`)
      collect(`${path}.${field}`, inner)
      collect(`${path}.${field}`, inner.items)
    }
  }
  // The details of external services are never returned: the fields that contain them are listed.
  const external = /^(UserCommunityProfileLinks|UserAzureDetails|Google|MicrosoftGraph)/
  for (const name of componentsOfResponses()) if (!external.test(name)) collect(name, schemas[name])
  expect(missing).toEqual([])
})
