import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ConfigError, flagOf, readConfig } from './config.ts'

it('has a default for every setting', () => {
  expect(readConfig({}, {})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    adminHost: '127.0.0.1',
    adminPort: undefined,
    role: 'all',
    rateLimitAnonymous: 1800,
    rateLimitAuthenticated: 7200,
  })
})

it('has one process of each engine for each core, and at least two', () => {
  const { engineProcesses } = readConfig({}, {})
  expect(engineProcesses).toBe(Math.min(Math.max(availableParallelism(), 2), 16))
  expect(readConfig({}, { ENGINE_PROCESSES: '1' }).engineProcesses).toBe(1)
})

it('prefers a flag to the environment', () => {
  expect(readConfig({ port: '4000' }, { PORT: '5000', HOST: '::1' })).toMatchObject({
    port: 4000,
    publicUrl: 'http://[::1]:4000',
  })
})

it('removes the trailing slash of the public address', () => {
  expect(readConfig({}, { PUBLIC_URL: 'https://scores.school.example/' }).publicUrl).toBe(
    'https://scores.school.example',
  )
})

it.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['ROLE', 'conductor'],
  ['PUBLIC_URL', 'scores.example'],
  ['RATE_LIMIT_ANONYMOUS', '-1'],
  ['OPEN_TASKS', '0'],
  ['PAPER', 'a3'],
  ['EMBED_SITES', 'school.example'],
  ['TIME_ZONE', 'Europe/Atlantis'],
  ['ADMIN_PORT', '0'],
  ['PREWARM_ENGINES', 'maybe'],
  ['RECORDING_ORIGINS', 'media.example'],
  ['RECORDING_ORIGINS', 'https://media.example/path'],
])('names a setting with an invalid value: %s=%s', (name, value) => {
  expect(() => readConfig({}, { [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({}, { [name]: value })).toThrow(new RegExp(`^${name}: .*${value}`))
})

it('reads a list of origins', () => {
  const { recordingOrigins } = readConfig(
    {},
    { RECORDING_ORIGINS: 'https://a.example, http://b.example:81/' },
  )
  expect(recordingOrigins).toEqual(['https://a.example', 'http://b.example:81'])
  expect(readConfig({}, {}).recordingOrigins).toEqual([])
})

it('derives the name of a flag from its environment variable', () => {
  expect(flagOf('rateLimitAnonymous')).toBe('rate-limit-anonymous')
})
