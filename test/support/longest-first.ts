import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. */
const longest = [
  'test/policy/policy.test.ts',
  'test/scenarios/storage-failures.test.ts',
  'test/conformance/fuzz.test.ts',
  'test/browser/accessibility.test.ts',
  'src/engines/notation.test.ts',
  'test/scenarios/crash.test.ts',
  'src/features/library/scores/export-cache.test.ts',
  'test/scenarios/hostile-uploads.test.ts',
  'test/scenarios/fair-queues.test.ts',
  'test/scenarios/command-line.test.ts',
  'src/auth/pages/sign-in.test.ts',
  'test/scenarios/submission-lifecycle.test.ts',
  'src/engines/hosts/pool.test.ts',
]

/** Starts the files that take longest first, so that no worker is still busy with one when the others have nothing left. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
