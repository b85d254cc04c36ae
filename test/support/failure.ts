import { Failure } from '../../src/errors.ts'

/** Returns the failure that the action throws. Any other error, or none, fails the test. */
export function failureOf(action: () => unknown): Failure {
  try {
    action()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('Expected a failure, but the action succeeded')
}

/** Returns the failure that the promise rejects with. Any other error, or none, fails the test. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Failure> {
  const outcome = await promise.then(
    () => new Error('Expected a failure, but the action succeeded'),
    (error: unknown) => error,
  )
  if (outcome instanceof Failure) return outcome
  throw outcome
}
