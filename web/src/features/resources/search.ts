import type { EduResource } from '../../../../src/contract/edu-resources.ts'

/** Without case and without accents, so that “etude” finds “Étude”. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Whether each word occurs in the title or the description of the resource. */
export function matchesWords(
  words: string,
  { title, sharingDescription = '' }: Pick<EduResource, 'title' | 'sharingDescription'>,
): boolean {
  const content = plain(`${title} ${sharingDescription}`)
  return plain(words)
    .split(/\s+/)
    .every((word) => content.includes(word))
}
