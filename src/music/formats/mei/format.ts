import type { Format } from '../format.ts'

export const mei: Format = {
  title: 'MEI',
  sniff: ({ xmlRoot }) =>
    xmlRoot !== undefined &&
    (['mei', 'meiCorpus'].includes(xmlRoot.name) ||
      xmlRoot.namespace.startsWith('http://www.music-encoding.org/ns/mei')),
}
