import { format } from '../format.ts'

export const ove = format({
  title: 'Overture',
  sniff: (file) => file.startsWith('OVSC'),
})
