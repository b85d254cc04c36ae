import { defineConfig } from 'vitest/config'
import { closingLine } from './test/support/closing-line.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/support/template-databases.ts'],
    reporters: ['default', closingLine],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
})
