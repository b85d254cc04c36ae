import { format } from '../format.ts'

/** Guitar Pro 3 to 5: the length of the version in a byte, then the version. */
const versioned = (version: number) =>
  format({
    title: `Guitar Pro ${version}`,
    sniff: (file) => file.startsWith(`FICHIER GUITAR PRO v${version}`, 1),
  })

export const gp3 = versioned(3)
export const gp4 = versioned(4)
export const gp5 = versioned(5)

/** Guitar Pro 6: a compressed (BCFZ) or uncompressed (BCFS) container. */
export const gpx = format({
  title: 'Guitar Pro 6',
  sniff: (file) => file.startsWith('BCFZ') || file.startsWith('BCFS'),
})

/** Guitar Pro 7 and later: an archive. */
export const gp = format({
  title: 'Guitar Pro 7',
  sniff: (file) => file.archiveEntries?.includes('Content/score.gpif') ?? false,
})
