import { childrenNamed, childText, type Element, type ScoreDocument } from '../../music/model/document.ts'
import { leaf } from '../../music/model/element.ts'

/**
 * Changes the credits and the rights of a document so that the engine prints each of them once.
 * - A credit without a page belongs to the first one, as MusicXML says. The engine would not print it.
 * - The engine prints the rights of the metadata at the foot of each page, and no credit of the type `rights`. If such a credit has
 *   other words, they take the place of the rights of the metadata.
 * - Rights that any other credit prints are left out of the metadata.
 */
export function withPrintedCredits(document: ScoreDocument): ScoreDocument {
  const children = document.root.children.map(withPage)
  return { root: { ...document.root, children: withPrintedRights(children) } }
}

function withPage(element: Element): Element {
  if (element.name !== 'credit' || element.attributes.page !== undefined) return element
  return { ...element, attributes: { ...element.attributes, page: '1' } }
}

function withPrintedRights(children: readonly Element[]): Element[] {
  const credits = children.filter(({ name }) => name === 'credit')
  const isOfRights = (credit: Element) => childText(credit, 'credit-type') === 'rights'
  const elsewhere = new Set(
    credits
      .filter((credit) => !isOfRights(credit))
      .flatMap(wordsOf)
      .map(folded),
  )
  const credited = credits.filter(
    (credit) => isOfRights(credit) && credit.attributes.page === '1' && folded(wordsOf(credit).join(' ')),
  )
  const own = credited.map((credit) => leaf('rights', wordsOf(credit).join('').trim()))
  const change = (identification: Element): Element => {
    const others = identification.children.filter(({ name }) => name !== 'rights')
    const rights = own.length > 0 ? own : childrenNamed(identification, 'rights')
    const kept = rights.filter(({ text }) => !elsewhere.has(folded(text)))
    const place = identification.children.findIndex(({ name }) => !beforeRights.has(name))
    return { ...identification, children: others.toSpliced(place < 0 ? others.length : place, 0, ...kept) }
  }
  return children.map((one) => (one.name === 'identification' ? change(one) : one))
}

/** The children of `identification` that precede `rights` (MusicXML 4.0). */
const beforeRights: ReadonlySet<string> = new Set(['creator'])

const wordsOf = (credit: Element): string[] => childrenNamed(credit, 'credit-words').map(({ text }) => text)

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim()
