import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Throws if the browser app is not built, or has changed since then. */
export function checkBuild(): void {
  const root = join(import.meta.dirname, '../..')
  const built = statSync(join(root, 'web/dist/index.html'), { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) throw new Error('The browser app is not built. Run: npm run build')
  const sources = globSync(['web/*.ts', 'web/src/**/*.*', 'locales/*.json', 'src/{contract,texts}/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts'],
  })
  const changed = sources.find((file) => statSync(join(root, file)).mtimeMs > built)
  if (changed) throw new Error(`${changed} is newer than the built browser app. Run: npm run build`)
}
