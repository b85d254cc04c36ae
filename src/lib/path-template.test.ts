import { describe, expect, it } from 'vitest'
import { findByPath, pathPattern } from './path-template.ts'

describe('pathPattern', () => {
  it.each([
    ['/scores', '/scores', true],
    ['/scores', '/scores/', true],
    ['/scores', '/scores/1', false],
    ['/scores/{score}', '/scores/1', true],
    ['/scores/{score}', '/scores/a.b-c%20d', true],
    ['/scores/{score}', '/scores/', false],
    ['/scores/{score}', '/scores//', false],
    ['/scores/{score}', '/scores/1/2', false],
    ['/scores/{score}', '/v2/scores/1', false],
    ['/scores/{score}/untrash', '/scores/1/untrash', true],
    ['/scores/{score}/untrash', '/scores/1/revisions', false],
    ['/openapi.json', '/openapi.json', true],
    ['/openapi.json', '/openapi-json', false],
  ])('%s matches %s: %s', (template, path, matches) => {
    expect(pathPattern(template).test(path)).toBe(matches)
  })
})

describe('findByPath', () => {
  const routes = [
    { path: '/classes/{class}' },
    { path: '/classes/{class}/archive' },
    { path: '/classes/enroll/{code}' },
    { path: '/classes/{class}/{what}' },
  ]

  it.each([
    ['/classes/1', '/classes/{class}'],
    ['/classes/1/archive', '/classes/{class}/archive'],
    ['/classes/enroll/1', '/classes/enroll/{code}'],
    ['/classes/enroll/archive', '/classes/enroll/{code}'],
    ['/classes/1/users', '/classes/{class}/{what}'],
    ['/scores', undefined],
  ])('finds for %s the route %s in any order of the routes', (path, expected) => {
    expect(findByPath(routes, path)?.path).toBe(expected)
    expect(findByPath(routes.toReversed(), path)?.path).toBe(expected)
  })
})
