import { describe, expect, it } from 'vitest'
import { failureOf, rejectionOf } from '../../../test/support/failure.ts'
import { readConfig } from '../../config.ts'
import { checkNewPassword, checkVouchedPassword, findWeakness } from './password-policy.ts'

const defaults = readConfig({}, {})

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
      const refused = await rejectionOf(checkNewPassword(defaults, { password: 'ü'.repeat(tooFew), role }))
      expect(refused).toMatchObject({
        code: 'INVALID_PARAMETER',
        param: 'password',
        message: `\`password\` must have ${enough} to 1000 characters.`,
      })
      await checkNewPassword(defaults, { password: 'ü'.repeat(enough), role })
    },
  )

  it('refuses more than 1000 characters', async () => {
    await checkNewPassword(defaults, { password: 'ü'.repeat(1000) })
    const refused = await rejectionOf(checkNewPassword(defaults, { password: 'ü'.repeat(1001) }))
    expect(refused.code).toBe('INVALID_PARAMETER')
  })

  it.each(['password', 'PassWord1', 'motdepasse', 'passwort1', 'princess1', '12345678'])(
    'refuses the common password %s',
    async (password) => {
      const refused = await rejectionOf(checkNewPassword(defaults, { password }))
      expect([refused.code, refused.param]).toEqual(['COMMON_PASSWORD', 'password'])
    },
  )

  it('refuses a common password that is long enough for an administrator', async () => {
    const common = { password: '123456789012', role: 'admin' } as const
    expect((await rejectionOf(checkNewPassword(defaults, common))).code).toBe('COMMON_PASSWORD')
  })
})

describe('the settings of passwords', () => {
  it('change the minimum, which for administrators is not below that of users', async () => {
    const settings = { passwordLength: 14, administratorPasswordLength: 10 }
    for (const role of ['user', 'admin'] as const) {
      expect((await findWeakness(settings, { password: 'ü'.repeat(13), role }))?.problem).toContain('14')
      expect(await findWeakness(settings, { password: 'ü'.repeat(14), role })).toBe(undefined)
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
