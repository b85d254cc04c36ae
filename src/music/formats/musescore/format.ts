import { format } from '../format.ts'

export const mscz = format({
  title: 'MuseScore',
  sniff: (file) => file.archiveEntries?.some((name) => name.endsWith('.mscx')) ?? false,
})

export const mscx = format({
  title: 'uncompressed MuseScore',
  sniff: (file) => file.xmlRoot?.name === 'museScore',
})
