import { format } from '../format.ts'

/** capella 3 and earlier. */
export const cap = format({
  title: 'capella',
  sniff: (file) => file.startsWith('cap3-v:'),
})

/** CapXML, plain or in an archive. */
export const capx = format({
  title: 'CapXML',
  sniff: ({ archiveEntries, xmlRoot }) =>
    archiveEntries
      ? archiveEntries.includes('score.xml') && !archiveEntries.includes('META-INF/container.xml')
      : xmlRoot?.name === 'score' && xmlRoot.namespace.startsWith('http://www.whc.de/CapXML'),
})
