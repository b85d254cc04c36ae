import type { Format } from '../format.ts'

export const ptb: Format = {
  title: 'Power Tab',
  sniff: (file) => file.startsWith('ptab'),
}
