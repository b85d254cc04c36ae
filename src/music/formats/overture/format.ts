import type { Format } from '../format.ts'

export const ove: Format = {
  title: 'Overture',
  sniff: (file) => file.startsWith('OVSC'),
}
