import { expect, it } from 'vitest'
import { internalOperations, operations } from '../operations.ts'
import { secretFieldsOf } from './schema.ts'

/** Secrets that are random and long enough that a hash does not reveal them. */
const unguessable = new Set(['sharingKey', 'userToken'])

it('every password and code in a body is marked as a secret', () => {
  const marked: string[] = []
  const all = [...Object.values(operations), ...Object.values(internalOperations)]
  for (const { id, body } of all) {
    const names = [...JSON.stringify(body ?? {}).matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)
    const secrets = secretFieldsOf(body)
    for (const name of names.filter((name) => /password$|^code$|secret$|token$|sharingKey$/i.test(name))) {
      if (!unguessable.has(name)) expect([id, name, secrets.has(name)]).toEqual([id, name, true])
    }
    marked.push(...secrets)
  }
  expect(new Set(marked)).toEqual(new Set(['password', 'currentPassword', 'code']))
})

it('a secret is found in lists and alternatives', () => {
  const pin = { type: 'string', writeOnly: true }
  const item = { anyOf: [{ type: 'object', properties: { pin } }, { type: 'null' }] }
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, pins: { type: 'array', items: item } },
  }
  expect([...secretFieldsOf(schema)]).toEqual(['pin'])
})
