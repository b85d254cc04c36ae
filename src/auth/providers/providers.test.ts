import { expect, it } from 'vitest'
import { checkProvider, type Provider, type ProviderRules, plainRules } from './providers.ts'

const sound: Provider = {
  name: 'school',
  organization_id: '0'.repeat(24),
  label: 'School account',
  issuer: 'https://sso.school.example/realms/school',
  client_id: 'partita',
  client_secret: 'secret',
  rules: plainRules,
  created_at: 0,
}
const check = (settings: Partial<Omit<Provider, 'rules'>>, rules: Partial<ProviderRules> = {}) =>
  checkProvider({ ...sound, ...settings, rules: { ...plainRules, ...rules } })

it.each<[Partial<Omit<Provider, 'rules'>>, Partial<ProviderRules>]>([
  [{}, {}],
  [{ issuer: 'https://accounts.google.com' }, { createsAccounts: true, domains: ['school.example'] }],
  [{ issuer: 'https://login.microsoftonline.com/8d2a1c5e-0000-4000-8000-000000000000/v2.0' }, {}],
  [{}, { addressClaim: 'upn', trustsAddresses: true, domains: ['school.example'] }],
  [{ issuer: 'http://127.0.0.1:8080/realms/school' }, { isInner: true }],
  [{}, { createsAccounts: true, roleClaim: 'groups', teacherValues: ['staff'] }],
])('accepts the provider %j with the rules %j', (settings, rules) => {
  check(settings, rules)
})

it.each<[string, Partial<Omit<Provider, 'rules'>>, Partial<ProviderRules>]>([
  ['The name', { name: 'The school' }, {}],
  ['The name', { name: '../x' }, {}],
  ['--label', { label: ' ' }, {}],
  ['--client-id', { client_id: '' }, {}],
  ['--issuer', { issuer: 'sso.school.example' }, {}],
  ['--issuer', { issuer: 'http://sso.school.example' }, { isInner: true }],
  ['--issuer', { issuer: 'http://127.0.0.1:8080' }, {}],
  ['--issuer', { issuer: 'https://sso.school.example?x' }, {}],
  ['your own tenant', { issuer: 'https://login.microsoftonline.com/common/v2.0' }, {}],
  ['your own tenant', { issuer: 'https://login.microsoftonline.com/organizations/v2.0' }, {}],
  ['--domains', {}, { domains: ['School.example'] }],
  ['--trust-addresses', {}, { trustsAddresses: true }],
  ['--address-claim', {}, { addressClaim: 'upn' }],
  ['anyone can have', { issuer: 'https://accounts.google.com' }, { createsAccounts: true }],
  ['--role-claim', {}, { teacherValues: ['staff'] }],
])(
  'refuses settings that cannot work or admit unintended users: %s of %j with %j',
  (problem, settings, rules) => {
    expect(() => check(settings, rules)).toThrow(problem)
  },
)
