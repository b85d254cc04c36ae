/**
 * Makes MIDI files from MusicXML files with webmscore, for comparison: `node webmscore-midi.child.ts a.xml
 * b.xml` writes a.xml.mid and b.xml.mid. Runs in a separate process, because the engine leaks memory and
 * cannot be ended otherwise. Destroying a score would break the next one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface Score {
  saveMidi(midiExpandRepeats: boolean, exportRpns: boolean): Promise<Uint8Array>
}

interface Webmscore {
  readonly ready: Promise<void>
  load(format: 'musicxml', data: Uint8Array, fonts: readonly Uint8Array[], doLayout: boolean): Promise<Score>
}

// If `fetch` exists, the engine assumes a browser. It also assigns `navigator`.
Reflect.deleteProperty(globalThis, 'fetch')
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
const webmscore: Webmscore = createRequire(import.meta.url)('webmscore')
await webmscore.ready
for (const path of process.argv.slice(2)) {
  const score = await webmscore.load('musicxml', readFileSync(path), [], false)
  writeFileSync(`${path}.mid`, await score.saveMidi(true, true))
}
process.exit(0)
