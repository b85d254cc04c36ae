import { Failure } from '../../src/errors.ts'

/** The failure that the action ends with; anything else, and no failure at all, fails the test. */
export function failureOf(action: () => unknown): Failure {
  try {
    action()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}

/** The failure that the promise is rejected with; anything else, and no failure at all, fails the test. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Failure> {
  const outcome = await promise.then(
    () => new Error('Nothing was refused.'),
    (error: unknown) => error,
  )
  if (outcome instanceof Failure) return outcome
  throw outcome
}
