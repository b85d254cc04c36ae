#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one can say what it needs instead of tripping over TypeScript.
const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed) {
  process.stderr.write(
    `Partita runs on Node ${needed} or newer; this is ${process.versions.node}.\n` +
      'It brings its own: run "npm ci" and start it with "npm start" or "npm run partita -- …".\n',
  )
  process.exit(1)
}
await import('../src/main.ts')
