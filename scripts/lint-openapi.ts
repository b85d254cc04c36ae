import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lints the OpenAPI document of the server. redocly.yaml lists the exceptions with their reasons. */
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'partita-openapi-'))
try {
  const document = join(folder, 'openapi.json')
  // The linter's format "url" has no place for the address of a server on this machine, which examples contain.
  const command = ['src/main.ts', 'openapi', '--public-url', 'https://partita.example']
  writeFileSync(document, execFileSync(process.execPath, command, { cwd: root }))
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const { status } = spawnSync(
    process.execPath,
    [redocly, 'lint', document, '--config', join(root, 'redocly.yaml')],
    {
      stdio: 'inherit',
      // The linter must not send telemetry or check for updates.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
