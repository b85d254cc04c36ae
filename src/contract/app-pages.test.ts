import { describe, expect, it } from 'vitest'
import { accessTo, appAddresses, matchPath, navigationFor, pathTo } from './app-pages.ts'

describe('the addresses of the browser app', () => {
  it.each(appAddresses)('%s matches itself and no earlier address', (address) => {
    expect(matchPath(address.replaceAll(/[{}]/g, ''))?.address).toBe(address)
  })

  it.each([
    ['/account/developer/apps/5f', { address: '/account/developer/apps/{app}', parameters: { app: '5f' } }],
    [
      '/account/developer/apps/a%2Fb',
      { address: '/account/developer/apps/{app}', parameters: { app: 'a/b' } },
    ],
    ['/account/developer/apps/new', { address: '/account/developer/apps/new', parameters: {} }],
    ['/account/', { address: '/account', parameters: {} }],
    ['/account/developer/apps/5f/more', undefined],
    ['/account/nothing', undefined],
    ['/organization', undefined],
    ['/account/developer/apps/%E0%A4%A', undefined],
    ['/', { address: '/', parameters: {} }],
    ['/scores/new', { address: '/scores/new', parameters: {} }],
    ['/scores/5f', { address: '/scores/{score}', parameters: { score: '5f' } }],
    ['/scores/5f/more', undefined],
  ])('finds the page at %s', (path, expected) => {
    expect(matchPath(path)).toEqual(expected)
  })

  it('become paths with their parameters encoded', () => {
    expect(pathTo('/account/developer/apps')).toBe('/account/developer/apps')
    expect(pathTo('/account/developer/apps/{app}', { app: 'a/b c' })).toBe(
      '/account/developer/apps/a%2Fb%20c',
    )
  })

  it('take exactly their own parameters', () => {
    // @ts-expect-error the parameter is missing
    pathTo('/account/developer/apps/{app}')
    // @ts-expect-error the address has no parameter
    pathTo('/account/developer/apps', { app: 'a' })
    // @ts-expect-error the name is wrong
    expect(pathTo('/account/developer/apps/{app}', { id: 'a' })).toBe('/account/developer/apps/')
  })
})

it.each([
  [
    'an administrator',
    { organizationRole: 'admin', isDelegated: false },
    ['/classes', '/library', '/organization'],
  ],
  [
    'an account administrator',
    { organizationRole: 'accountAdmin', isDelegated: false },
    ['/classes', '/library', '/organization'],
  ],
  ['a teacher', { organizationRole: 'teacher', isDelegated: false }, ['/classes', '/library']],
  ['a student', { organizationRole: 'user', isDelegated: false }, ['/classes']],
  ['an individual account', { organizationRole: null, isDelegated: false }, []],
] as const)('the navigation of %s', (_who, user, ofSchool) => {
  const folders = navigationFor(user).map(({ folder }) => folder)
  expect(folders).toEqual(['/', '/scores', ...ofSchool, '/account'])
})

it('the navigation of a delegated session has only pages that the session opens', () => {
  const links = navigationFor({ organizationRole: 'admin', isDelegated: true })
  expect(links.map(({ address }) => [address, accessTo(address)])).toEqual([
    ['/', 'user'],
    ['/scores', 'user'],
    ['/classes', 'user'],
    ['/library', 'user'],
  ])
})

it.each([
  ['/', 'user'],
  ['/scores/new', 'user'],
  ['/scores/{score}', 'everyone'],
  ['/classes/{class}', 'user'],
  ['/join/{code}', 'user'],
  ['/account', 'owner'],
  ['/account/developer/apps/{app}', 'owner'],
  ['/organization/members', 'owner'],
] as const)('%s opens for every %s', (address, access) => {
  expect(accessTo(address)).toBe(access)
})
