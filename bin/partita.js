#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one can say what it needs instead of tripping over TypeScript.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed) {
  process.stderr.write(
    `Partita runs on Node ${needed} or newer; this is ${process.versions.node}.\n` +
      'It brings its own: run "npm ci" and start it with "npm start" or "npm run partita -- …".\n',
  )
  process.exit(1)
}
// What was compiled is kept: the next start takes half as long. Where it cannot be written, nothing is kept.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
await import('../src/main.ts')
