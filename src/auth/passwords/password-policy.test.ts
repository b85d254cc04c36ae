import { describe, expect, it } from 'vitest'
import { failureOf, rejectionOf } from '../../../test/support/failure.ts'
import { readConfig } from '../../config.ts'
import { checkNewPassword, checkVouchedPassword, findWeakness, type NewPassword } from './password-policy.ts'

const defaults = readConfig({}, {})
const owner = {
  username: 'm.weber',
  email: 'maria.weber@school.example',
  firstname: 'Zoé',
  lastname: 'Weber',
}
const check = (password: Omit<NewPassword, 'owner'>) => checkNewPassword(defaults, { ...password, owner })

describe('checkNewPassword', () => {
  it.each([
    [undefined, 7, 8],
    ['user', 7, 8],
    ['teacher', 7, 8],
    ['admin', 11, 12],
    ['accountAdmin', 11, 12],
  ] as const)(
    'refuses the role %s a password of %i characters and accepts %i',
    async (role, tooFew, enough) => {
      const refused = await rejectionOf(check({ password: 'ü'.repeat(tooFew), role }))
      expect(refused).toMatchObject({
        code: 'INVALID_PARAMETER',
        param: 'password',
        message: `\`password\` must have ${enough} to 1000 characters.`,
      })
      await check({ password: 'ü'.repeat(enough), role })
    },
  )

  it('refuses more than 1000 characters', async () => {
    await check({ password: 'ü'.repeat(1000) })
    const refused = await rejectionOf(check({ password: 'ü'.repeat(1001) }))
    expect(refused.code).toBe('INVALID_PARAMETER')
  })

  it.each(['password', 'PassWord1', 'motdepasse', 'passwort1', 'princess1', '12345678'])(
    'refuses the common password %s',
    async (password) => {
      const refused = await rejectionOf(check({ password }))
      expect([refused.code, refused.param]).toEqual(['COMMON_PASSWORD', 'password'])
    },
  )

  it('refuses a common password that is long enough for an administrator', async () => {
    const common = { password: '123456789012', role: 'admin' } as const
    expect((await rejectionOf(check(common))).code).toBe('COMMON_PASSWORD')
  })

  it.each([
    'maria.weber',
    'maria.weber@school.example',
    'Maria.Weber@School',
    'weber-2030',
    '!!Wéber!!',
    'WeberZoe',
    'zoeweber1999',
    'M_Weber-123',
  ])('refuses %s, which is almost a name or address of the account', async (password) => {
    const refused = await rejectionOf(check({ password }))
    expect([refused.code, refused.param]).toEqual(['PASSWORD_LIKE_NAME', 'password'])
  })

  it.each(['weber plays cello', 'zoe likes trumpets', '!!!!!!!w', '########'])(
    'accepts %s, which has more than a name',
    async (password) => {
      await check({ password })
    },
  )
})

describe('the settings of passwords', () => {
  it('change the minimum, which for administrators is not below that of users', async () => {
    const settings = { passwordLength: 14, administratorPasswordLength: 10 }
    for (const role of ['user', 'admin'] as const) {
      expect((await findWeakness(settings, { password: 'ü'.repeat(13), role, owner }))?.problem).toContain(
        '14',
      )
      expect(await findWeakness(settings, { password: 'ü'.repeat(14), role, owner })).toBe(undefined)
    }
  })

  it.each(['5', '1001'])('refuse %s', (length) => {
    expect(() => readConfig({ passwordLength: length }, {})).toThrow('PASSWORD_LENGTH')
  })
})

describe('checkVouchedPassword', () => {
  it('checks only the limits of the interface', () => {
    for (const password of ['123456', 'ü'.repeat(1000)]) checkVouchedPassword(password)
    for (const password of ['12345', 'ü'.repeat(1001)]) {
      expect(failureOf(() => checkVouchedPassword(password)).param).toBe('password')
    }
  })
})
