import { expect, it } from 'vitest'
import lock from '../package-lock.json' with { type: 'json' }
import { licencesOf } from './licences.ts'

const only = (license?: string, name = 'some-package') => {
  const [dependency] = licencesOf({
    '': {},
    [`node_modules/${name}`]: { version: '1.0.0', license } as object,
  })
  return dependency
}

it('lists each dependency with its licence', () => {
  expect(only('MIT', '@scope/name')).toEqual({
    name: '@scope/name',
    version: '1.0.0',
    licence: 'MIT',
    isForDevelopment: false,
    fits: true,
  })
})

it.each(['MIT', 'Apache-2.0', 'GPL-3.0-only', '(MIT AND Zlib)', 'SSPL-1.0 OR ISC'])(
  'accepts %s',
  (licence) => {
    expect(only(licence)?.fits).toBe(true)
  },
)

it.each(['GPL-2.0-only', 'SSPL-1.0', 'MIT AND CC-BY-NC-4.0', 'GPL', 'SEE LICENSE IN x.txt', undefined])(
  'rejects %s',
  (licence) => {
    expect(only(licence)?.fits).toBe(false)
  },
)

it('finds no dependency of this project that does not fit', () => {
  expect(licencesOf(lock.packages).filter(({ fits }) => !fits)).toEqual([])
})
