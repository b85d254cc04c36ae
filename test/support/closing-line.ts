import type { Reporter, TestModule } from 'vitest/node'

/**
 * The last line of a test run, for whoever reads only that one: `214 passed, 0 failed, 3 skipped`.
 * A file that does not even load, and an error that no test caught, count as failed.
 */
export const closingLine: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap(testStates)
    const count = (state: string) => states.filter((one) => one === state).length
    const failed = count('failed') + unhandledErrors.length
    process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  },
}

/** `pending` is a test that an interruption kept from running. */
function testStates(module: TestModule): string[] {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const brokenOutsideOfTests = module.state() === 'failed' && !states.includes('failed')
  return brokenOutsideOfTests ? [...states, 'failed'] : states
}
