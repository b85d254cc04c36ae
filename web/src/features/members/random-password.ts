import { firstPasswordOf } from '../../../../src/contract/first-password.ts'

/**
 * Returns a random password that a person can copy from paper.
 * @param minLength the minimum number of characters
 */
export const randomPassword = (minLength: number): string =>
  firstPasswordOf(minLength, (limit) => {
    // Values above the largest multiple of the limit would make some results more likely.
    const bound = 256 - (256 % limit)
    for (;;) {
      const [value = 0] = crypto.getRandomValues(new Uint8Array(1))
      if (value < bound) return value % limit
    }
  })
