import { describe, expect, it } from 'vitest'
import { providerUserOf } from './claims.ts'
import { type ProviderRules, plainRules } from './providers.ts'

const google = 'https://accounts.google.com'
const school = 'https://sso.school.example/realms/school'

function userFor(claims: object, rules: Partial<ProviderRules> = {}, issuer = school) {
  return providerUserOf({ issuer, rules: { ...plainRules, ...rules } }, { sub: 'subject', ...claims })
}
const domains = ['school.example']

describe('an address is accepted', () => {
  it.each([
    [true, {}, 'sam@school.example'],
    ['true', {}, 'sam@school.example'],
    [false, {}, undefined],
    [undefined, {}, undefined],
    [1, {}, undefined],
    [undefined, { trustsAddresses: true, domains }, 'sam@school.example'],
    [false, { trustsAddresses: true, domains }, undefined],
    [undefined, { trustsAddresses: true, domains: ['other.example'] }, undefined],
  ])('if email_verified is %j and the rules are %j: %s', (email_verified, rules, address) => {
    expect(userFor({ email: 'sam@school.example', email_verified }, rules).address).toBe(address)
  })

  it.each([7, null, '', 'sam', 'sam@school.example\u0000', 'a b@school.example', ['sam@school.example']])(
    'only if it is valid, unlike %j',
    (email) => {
      expect(userFor({ email, email_verified: true }).address).toBeUndefined()
    },
  )

  it('from another claim only if the rules trust it, because email_verified does not apply to it', () => {
    const claims = { email_verified: true, preferred_username: 'sam@school.example' }
    const addressClaim = 'preferred_username'
    expect(userFor(claims, { addressClaim }).address).toBeUndefined()
    expect(userFor(claims, { addressClaim, trustsAddresses: true, domains }).address).toBe(
      'sam@school.example',
    )
  })

  it('from Google only if Google is authoritative for it', () => {
    const addressFrom = (claims: object) => userFor({ email_verified: true, ...claims }, {}, google).address
    expect(addressFrom({ email: 'sam@school.example' })).toBeUndefined()
    expect(addressFrom({ email: 'sam@school.example', hd: 'school.example' })).toBe('sam@school.example')
    expect(addressFrom({ email: 'sam@gmail.com' })).toBe('sam@gmail.com')
  })
})

describe('with a list of domains, a user is accepted', () => {
  it.each([
    ['sam@school.example', true],
    ['sam@SCHOOL.example', true],
    ['sam@sub.school.example', false],
    ['sam@evilschool.example', false],
    ['sam@school.example.evil.example', false],
  ])('with %s: %s', (email, mayCome) => {
    expect(userFor({ email, email_verified: true }, { domains }).mayCome).toBe(mayCome)
    expect(userFor({ email, email_verified: false }, { domains }).mayCome).toBe(false)
  })

  it('from Google only with an account of the domain’s organization', () => {
    const isAdmittedWith = (claims: object) =>
      userFor({ email: 'sam@school.example', email_verified: true, ...claims }, { domains }, google).mayCome
    expect([
      isAdmittedWith({}),
      isAdmittedWith({ hd: 'other.example' }),
      isAdmittedWith({ hd: 'school.example' }),
    ]).toEqual([false, false, true])
  })
})

describe('a role', () => {
  const rules = { roleClaim: 'realm_access.roles', teacherValues: ['staff'], adminValues: ['office'] }
  it.each([
    [{ realm_access: { roles: ['staff'] } }, 'teacher'],
    [{ realm_access: { roles: ['staff', 'office'] } }, 'admin'],
    [{ 'realm_access.roles': 'staff' }, 'teacher'],
    [{ realm_access: { roles: ['Staff', 'staffer'] } }, 'user'],
    [{ realm_access: 'staff' }, 'user'],
    [{ realm_access: null }, 'user'],
    [{}, 'user'],
  ])('is derived from %j: %s', (claims, role) => {
    expect(userFor(claims, rules).role).toBe(role)
  })

  it('is not derived from inherited properties of an object', () => {
    expect(userFor({}, { ...rules, roleClaim: 'constructor.name', teacherValues: ['Object'] }).role).toBe(
      'user',
    )
  })
})

it('names are truncated without splitting a character', () => {
  const long = '🎵'.repeat(40)
  const { firstname, lastname, nickname } = userFor({
    given_name: ` ${long} `,
    family_name: 'Ng\u0000uyen\n',
    preferred_username: `${long}@school.example`,
  })
  expect([firstname, lastname, nickname]).toEqual(['🎵'.repeat(30), 'Nguyen', '🎵'.repeat(12)])
})

it.each([
  [{ preferred_username: 'Sam Song' }, 'SamSong'],
  [{ email: 's.song@school.example', email_verified: true }, 's.song'],
  [{ given_name: 'Sam', family_name: 'Song' }, 'Sam.Song'],
  [{ given_name: 'Sam' }, 'Sam'],
  [{}, ''],
])('a username is derived from %j: %j', (claims, nickname) => {
  expect(userFor(claims).nickname).toBe(nickname)
})
