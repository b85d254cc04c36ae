import type { Format } from '../format.ts'

export const mscz: Format = {
  title: 'MuseScore',
  sniff: (file) => file.archiveEntries?.some((name) => name.endsWith('.mscx')) ?? false,
}

export const mscx: Format = {
  title: 'uncompressed MuseScore',
  sniff: (file) => file.xmlRoot?.name === 'museScore',
}
