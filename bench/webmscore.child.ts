import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Exports a MusicXML file with webmscore alone, as its package does it. Arguments: a format, the file, and a sound font. Prints the
 * seconds of CPU time and the peak of the memory in MB, both without the start.
 */
const [format = '', file = '', font = ''] = process.argv.slice(2)

// If `fetch` exists, webmscore assumes a browser and loads its files from the web.
Reflect.deleteProperty(globalThis, 'fetch')
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
const { default: WebMscore } = await import('webmscore')
await WebMscore.ready

const before = process.cpuUsage()
const score = await WebMscore.load('musicxml', readFileSync(file))
switch (format) {
  case 'svg':
    await score.saveSvg(0, true)
    break
  case 'pdf':
    await score.savePdf()
    break
  case 'thumbnail.png':
    await score.savePng(0, true)
    break
  case 'midi':
    await score.saveMidi()
    break
  case 'mp3':
    await score.setSoundFont(readFileSync(createRequire(import.meta.url).resolve(font)))
    await score.saveAudio('mp3')
    break
  default:
    throw new Error(`${format} is no format of webmscore`)
}
const { user, system } = process.cpuUsage(before)
process.stdout.write(
  JSON.stringify({ cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1000 }),
)
process.exit()
