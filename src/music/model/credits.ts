import { child, childrenNamed, childText, type Element, type ScoreDocument } from './document.ts'

export interface ScoreCredits {
  title: string | undefined
  subtitle: string | undefined
  composer: string | undefined
  lyricist: string | undefined
  arranger: string | undefined
}

export type CreatorRole = keyof typeof creatorTypes

const maxCharacters = 1_000

/** The types of creators in real files. The first one is MusicXML's own suggestion and has priority. */
export const creatorTypes = {
  composer: ['composer', 'music', 'music by', 'compositeur', 'komponist', 'compositor', 'compositore'],
  lyricist: [
    'lyricist',
    'poet',
    'lyrics',
    'words',
    'text',
    'librettist',
    'parolier',
    'textdichter',
    'letrista',
  ],
  arranger: [
    'arranger',
    'arrangement',
    'arranged by',
    'arr.',
    'arr',
    'arrangeur',
    'arreglista',
    'arrangiatore',
  ],
} as const

/**
 * Returns titles and creators of a score. Each is one line: white space folded, at most 1,000 characters,
 * undefined if the score has none.
 *
 * - title: work-title, or movement-title, or the credit of type title, or the centred untyped credit in the
 * largest type on the first page.
 * - subtitle: movement-title unless it is the title already, or the credit of type subtitle.
 * - composer, lyricist, arranger: the creators of that type in the identification, joined by commas, or those
 * of a type with the same meaning, or the credit of that type. A creator without a type counts as a composer.
 */
export function creditsOf(document: ScoreDocument): ScoreCredits {
  const { root } = document
  const work = child(root, 'work')
  const workTitle = work && oneLine(childText(work, 'work-title'))
  const movementTitle = oneLine(childText(root, 'movement-title'))
  const credits = childrenNamed(root, 'credit')
  const creators = childrenNamed(child(root, 'identification') ?? root, 'creator')
  const title = workTitle ?? movementTitle ?? typedCredit(credits, 'title') ?? mostProminentCredit(credits)
  return {
    title,
    subtitle:
      movementTitle !== undefined && movementTitle !== title
        ? movementTitle
        : typedCredit(credits, 'subtitle'),
    composer: creatorOf(creators, credits, 'composer') ?? creatorsOfType(creators, ''),
    lyricist: creatorOf(creators, credits, 'lyricist'),
    arranger: creatorOf(creators, credits, 'arranger'),
  }
}

function creatorOf(
  creators: Element[],
  credits: Element[],
  role: keyof typeof creatorTypes,
): string | undefined {
  for (const type of creatorTypes[role]) {
    const names = creatorsOfType(creators, type)
    if (names !== undefined) return names
  }
  return typedCredit(credits, role)
}

function creatorsOfType(creators: Element[], type: string): string | undefined {
  const names = new Set<string>()
  for (const creator of creators) {
    const name =
      (creator.attributes.type ?? '').trim().toLowerCase() === type ? oneLine(creator.text) : undefined
    if (name !== undefined) names.add(name)
  }
  return oneLine([...names].join(', '))
}

/** Returns which credit a printed credit is by its type. */
export function creditRoleOf(credit: Element): keyof ScoreCredits | undefined {
  return (['title', 'subtitle', 'composer', 'lyricist', 'arranger'] as const).find((role) =>
    hasCreditType(credit, role),
  )
}

function hasCreditType(credit: Element, type: string): boolean {
  return childrenNamed(credit, 'credit-type').some(({ text }) => text.trim().toLowerCase() === type)
}

function typedCredit(credits: Element[], type: string): string | undefined {
  for (const credit of credits) {
    if (!hasCreditType(credit, type)) continue
    const words = creditText(credit)
    if (words !== undefined) return words
  }
  return undefined
}

function mostProminentCredit(credits: Element[]): string | undefined {
  let prominent: string | undefined
  let largest = 0
  for (const credit of credits) {
    const { page = '1' } = credit.attributes
    const words = child(credit, 'credit-words')
    if (words === undefined || page !== '1' || child(credit, 'credit-type') !== undefined) continue
    const { justify, halign = justify, 'font-size': fontSize } = words.attributes
    const size = Number(fontSize)
    const text = creditText(credit)
    if (halign === 'center' && size > largest && text !== undefined) {
      prominent = text
      largest = size
    }
  }
  return prominent
}

/** The text of a printed credit as one line. */
export function creditText(credit: Element): string | undefined {
  const words = childrenNamed(credit, 'credit-words').map(({ text }) => text)
  return oneLine(words.join(' '))
}

/** Folds white space and shortens the text to 1,000 characters. Undefined if it is empty. */
export function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, ' ').trim()
  if (line === undefined || line === '') return undefined
  return line.length <= maxCharacters ? line : Array.from(line).slice(0, maxCharacters).join('').trim()
}
