import { describe, expect, it } from 'vitest'
import { appAddresses, matchPath, navigationFor, pathTo } from './app-pages.ts'

describe('the addresses of the browser app', () => {
  it.each(appAddresses)('%s matches itself and no earlier address', (address) => {
    expect(matchPath(address.replaceAll(/[{}]/g, ''))?.address).toBe(address)
  })

  it.each([
    ['/account/apps/5f', { address: '/account/apps/{app}', parameters: { app: '5f' } }],
    ['/account/apps/a%2Fb', { address: '/account/apps/{app}', parameters: { app: 'a/b' } }],
    ['/account/apps/new', { address: '/account/apps/new', parameters: {} }],
    ['/account/', { address: '/account', parameters: {} }],
    ['/account/apps/5f/more', undefined],
    ['/account/nothing', undefined],
    ['/organization', undefined],
    ['/account/apps/%E0%A4%A', undefined],
    ['/', undefined],
  ])('finds the page at %s', (path, expected) => {
    expect(matchPath(path)).toEqual(expected)
  })

  it('become paths with their parameters encoded', () => {
    expect(pathTo('/account/apps')).toBe('/account/apps')
    expect(pathTo('/account/apps/{app}', { app: 'a/b c' })).toBe('/account/apps/a%2Fb%20c')
  })

  it('take exactly their own parameters', () => {
    // @ts-expect-error the parameter is missing
    pathTo('/account/apps/{app}')
    // @ts-expect-error the address has no parameter
    pathTo('/account/apps', { app: 'a' })
    // @ts-expect-error the name is wrong
    expect(pathTo('/account/apps/{app}', { id: 'a' })).toBe('/account/apps/')
  })
})

it('the navigation has the pages of the organization for administrators only', () => {
  for (const role of ['admin', 'accountAdmin'] as const) {
    const addresses = navigationFor(role).map(({ address }) => address)
    expect(addresses).toContain('/organization/members')
    expect(addresses).toContain('/organization/audit-log')
  }
  for (const role of ['teacher', 'user', null] as const) {
    const addresses = navigationFor(role).map(({ address }) => address)
    expect(addresses).toEqual([
      '/account',
      '/account/profile',
      '/account/apps',
      '/account/security',
      '/account/new-score',
    ])
  }
})
