import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints a summary as the last line of a test run: `214 passed, 0 failed, 3 skipped`. A file that fails to
 * load and an uncaught error count as failed.
 */
export const closingLine: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap(testStates)
    const count = (state: string) => states.filter((one) => one === state).length
    const failed = count('failed') + unhandledErrors.length
    process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  },
}

/**
 * Returns the state of each test, and one more `failed` if the file itself failed. `pending` is a test that
 * did not run because the run was interrupted.
 */
function testStates(module: TestModule): string[] {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const failedOutsideTests = module.state() === 'failed' && !states.includes('failed')
  return failedOutsideTests ? [...states, 'failed'] : states
}
