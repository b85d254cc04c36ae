import { describe, expect, it } from 'vitest'
import { findOperation } from './find-operation.ts'

const routes = [
  { id: 'getClass', method: 'GET', path: '/classes/{class}' },
  { id: 'addClassUser', method: 'PUT', path: '/classes/{class}/users/{user}' },
  { id: 'archiveClass', method: 'POST', path: '/classes/{class}/archive' },
  { id: 'enrollClass', method: 'POST', path: '/classes/enroll/{enrollmentCode}' },
  { id: 'listScores', method: 'GET', path: '/scores' },
]

describe('findOperation', () => {
  it.each([
    ['a path', 'PUT', '/classes/1/users/2', 'addClassUser'],
    ['a lower-case method', 'put', '/classes/1/users/2', 'addClassUser'],
    ['the prefix of the version', 'PUT', '/v2/classes/1/users/2', 'addClassUser'],
    ['a whole URL with a query', 'GET', 'https://partita.example/v2/classes/1?limit=2#top', 'getClass'],
    ['a trailing slash', 'GET', '/scores/', 'listScores'],
    ['the template itself', 'GET', '/classes/{class}', 'getClass'],
    ['the more literal of two templates', 'POST', '/classes/enroll/archive', 'enrollClass'],
  ])('finds by %s', (_what, method, address, id) => {
    expect(findOperation(routes, method, address)?.id).toBe(id)
  })

  it.each([
    ['another method', 'DELETE', '/classes/1'],
    ['a longer path', 'GET', '/classes/1/2'],
    ['a missing parameter', 'GET', '/classes//'],
    ['a path that only starts like the prefix', 'GET', '/v2scores'],
  ])('finds nothing for %s', (_what, method, address) => {
    expect(findOperation(routes, method, address)).toBeUndefined()
  })
})
