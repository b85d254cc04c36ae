import { format } from '../format.ts'

export const ptb = format({
  title: 'Power Tab',
  sniff: (file) => file.startsWith('ptab'),
})
