#!/usr/bin/env node
// Plain JavaScript, so that an old version of Node prints which version is needed instead of a syntax error.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed) {
  process.stderr.write(
    `Partita needs Node ${needed} or newer; this is ${process.versions.node}.\n` +
      'npm installs the right version: run "npm ci", then "npm start" or "npm run partita -- …".\n',
  )
  process.exit(1)
}
// Caches compiled code, which halves the time of the next start. Without write access, nothing is cached.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
await import('../src/main.ts')
