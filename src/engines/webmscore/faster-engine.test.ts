import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { withFasterFunctions } from './faster-engine.ts'

const engine = readFileSync(createRequire(import.meta.url).resolve('webmscore/webmscore.lib.wasm'))
const { validate } = Reflect.get(globalThis, 'WebAssembly') as unknown as {
  validate(module: Uint8Array): boolean
}

test('replaces all functions of the installed engine that it knows, and the module stays valid', () => {
  const faster = withFasterFunctions(engine)
  expect(faster).not.toBe(engine)
  expect(validate(faster)).toBe(true)
  expect(withFasterFunctions(faster)).toBe(faster)
  expect(engine.length - faster.length).toBe(457)
})

test('leaves another module as it is', () => {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const empty = Uint8Array.from(header)
  const oneFunction = Uint8Array.from([...header, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 4, 1, 2, 0, 0x0b])
  for (const module of [empty, oneFunction]) {
    expect(validate(module)).toBe(true)
    expect(withFasterFunctions(module)).toBe(module)
  }
})
