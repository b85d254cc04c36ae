import { readFileSync } from 'node:fs'
import verovio from 'verovio'

/**
 * Exports a MusicXML file with verovio alone. Arguments: a format, and the file. Prints the seconds of CPU time and the peak of the
 * memory in MB, both without the start.
 */
const [format = '', file = ''] = process.argv.slice(2)
await new Promise<void>((resolve) => {
  verovio.module.onRuntimeInitialized = resolve
})
const toolkit = new verovio.toolkit()

const before = process.cpuUsage()
// Pages of A4 in tenths of a millimeter, as webmscore engraves them.
toolkit.setOptions({ pageWidth: 2100, pageHeight: 2970, scale: 50, footer: 'none' })
if (!toolkit.loadData(readFileSync(file, 'utf8'))) throw new Error(`verovio cannot read ${file}`)
switch (format) {
  case 'svg':
    toolkit.renderToSVG(1)
    break
  case 'midi':
    toolkit.renderToMIDI()
    break
  default:
    throw new Error(`${format} is no format of verovio`)
}
const { user, system } = process.cpuUsage(before)
process.stdout.write(
  JSON.stringify({ cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1000 }),
)
process.exit()
