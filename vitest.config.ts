import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { closingLine } from './test/support/closing-line.ts'
import { LongestFirst } from './test/support/longest-first.ts'

// Workers load the server from the code that the first worker has compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url))

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/support/template-databases.ts'],
    reporters: ['default', closingLine],
    // A test must not fail because the machine is slow or busy. The limit ends tests that hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // A worker runs many files with the server loaded once. A test must restore what it changes in its process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Usually more than there are cores, because many tests wait for a database, a browser or another process.
    maxWorkers: 4,
    // As `npm start` does: fewer and cheaper collections of young objects.
    execArgv: ['--max-semi-space-size=32'],
    // The runtime itself loads the code, as it does when it serves: `vi.mock` does nothing, spy on what is passed in.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
