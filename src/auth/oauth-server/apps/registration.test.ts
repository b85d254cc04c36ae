import { describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { prepareApp } from './registration.ts'

const contextAt = (publicUrl: string) =>
  ({
    config: { publicUrl },
    newId: () => '0123456789abcdef01234567',
    clock: { now: () => 0 },
  }) as unknown as Context
const register = (uri: string, publicUrl = 'https://partita.example') =>
  prepareApp(contextAt(publicUrl), { name: 'App', redirectUris: [uri], isPublic: true, owner: null })

describe('accepts as redirect URI', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example/cb?from=here',
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:9000/',
    'com.example.app:/cb',
    'com.example.app://cb',
  ])('%s', (uri) => {
    expect(register(uri).app.secret_hash).toBeNull()
  })
})

describe('refuses as redirect URI', () => {
  it.each([
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp:/cb',
    'https://app.example/#x',
    'https://app.example/#',
    'https://user@app.example/',
    'https://app.example/a b',
    ' https://app.example/',
    'https://app.example/\ncb',
    '//app.example/cb',
    '/cb',
    '',
    'https://app;script-src.example/cb',
    'https://app,evil.example/cb',
    "https://'self'.example/cb",
    'https://app_1.example/cb',
    'com.example.app:/cb\u202e',
    `https://app.example/${'x'.repeat(2000)}`,
  ])('%j', (uri) => {
    expect(() => register(uri)).toThrow('redirect-uri')
  })
})

it.each([
  'Practice\u0000room',
  'Practice\nroom',
  'Practice\u200broom',
  '\u202emoor',
  '\u2066room\u2069',
  'room\ufeff!',
  'a\u2028b',
])('refuses a name with invisible characters: %j', (name) => {
  const registration = { redirectUris: ['https://app.example'], isPublic: true, owner: null }
  expect(() => prepareApp(contextAt('https://partita.example'), { ...registration, name })).toThrow('name')
  expect(prepareApp(contextAt(''), { ...registration, name: ' Übung – 練習 🎵 ' }).app.name).toBe(
    'Übung – 練習 🎵',
  )
})

it('accepts a redirect URI without https if the server itself has no https', () => {
  expect(register('http://app.example/cb', 'http://10.0.0.7:3000').app.name).toBe('App')
  expect(() => register('javascript:alert(1)', 'http://10.0.0.7:3000')).toThrow('redirect-uri')
})
