import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findViolations } from './imports.ts'

const root = join(import.meta.dirname, '..')
const paths = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx,css,svg}'], { cwd: root }).map((path) =>
  path.replaceAll('\\', '/'),
)
const broken = findViolations(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))

for (const line of broken) console.error(line)
console.log(`${paths.length} files, ${broken.length} violations`)
if (broken.length > 0) process.exitCode = 1
