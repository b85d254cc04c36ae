import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Checks the types of the server and of the browser app, at the same time. Each has one checker: several would each work out the
 * types of the contract and of the tables again, which takes twice the time of the processor.
 */
const checks = ['tsconfig.json', 'web/tsconfig.json'].map((project) =>
  once(spawn('tsc', ['--noEmit', '--checkers', '1', '-p', project], { stdio: 'inherit' }), 'close'),
)
const codes = (await Promise.all(checks)).map(([code]) => code)
if (codes.some((code) => code !== 0)) process.exitCode = 1
