import {
  creatorTypes,
  creditRoleOf,
  creditsOf,
  creditText,
  type CreatorRole,
  oneLine,
  type ScoreCredits,
} from './credits.ts'
import { child, childrenNamed, childText, type Element, type ScoreDocument } from './document.ts'
import { leaf, node } from './element.ts'
import { headerCredit } from './header-credits.ts'
import { printable } from './printable.ts'

/** New credits of a score. Null removes a credit, undefined leaves it as it is. */
export type CreditChange = { readonly [Role in keyof ScoreCredits]?: string | null | undefined }

const roles = ['title', 'subtitle', 'composer', 'lyricist', 'arranger'] as const

/**
 * Returns the document with other credits: in the metadata (work-title, movement-title, creators), and in the credits that are
 * printed. `creditsOf` of the result returns the new ones. A printed credit is replaced if it has the type of a changed credit,
 * or no type and exactly its text. Everything else stays.
 */
export function withCredits(document: ScoreDocument, change: CreditChange): ScoreDocument {
  const old = creditsOf(document)
  const texts = new Map<keyof ScoreCredits, string | undefined>()
  for (const role of roles) {
    const text = change[role]
    if (text !== undefined) texts.set(role, oneLine(printable(text ?? '')))
  }
  let { children } = document.root
  if (texts.has('title') || texts.has('subtitle')) children = withTitles(children, old, texts)
  children = withCreators(children, texts)
  children = withPrinted(document, children, old, texts)
  return { root: { ...document.root, children } }
}

type NewTexts = ReadonlyMap<keyof ScoreCredits, string | undefined>

function withTitles(children: readonly Element[], old: ScoreCredits, texts: NewTexts): Element[] {
  const title = texts.has('title') ? texts.get('title') : old.title
  const subtitle = texts.has('subtitle') ? texts.get('subtitle') : old.subtitle
  const movement = children.find(({ name }) => name === 'movement-title')
  // A movement title that is the title, and not a subtitle, stays the same as the title.
  const isTitle = movement !== undefined && oneLine(movement.text) === old.title
  const newMovement = subtitle ?? (isTitle ? title : undefined)
  const work = children.find(({ name }) => name === 'work')
  const rest = children.filter(({ name }) => name !== 'work' && name !== 'movement-title')
  const number = rest.filter(({ name }) => name === 'movement-number')
  const others = rest.filter(({ name }) => name !== 'movement-number')
  return [
    ...withWorkTitle(work, title),
    ...number,
    ...(newMovement === undefined ? [] : [leaf('movement-title', newMovement)]),
    ...others,
  ]
}

function withWorkTitle(work: Element | undefined, title: string | undefined): Element[] {
  const kept = (work?.children ?? []).filter(({ name }) => name !== 'work-title')
  const titles = title === undefined ? [] : [leaf('work-title', title)]
  const place = kept[0]?.name === 'work-number' ? 1 : 0
  const children = kept.toSpliced(place, 0, ...titles)
  if (children.length === 0) return []
  return [work ? { ...work, children } : node('work', children)]
}

const isCreatorRole = (role: keyof ScoreCredits): role is CreatorRole => role in creatorTypes

/** The elements of a score after which the identification stands. */
const beforeIdentification = ['work', 'movement-number', 'movement-title']

function withCreators(children: readonly Element[], texts: NewTexts): Element[] {
  const changed = [...texts].filter(([role]) => isCreatorRole(role))
  if (changed.length === 0) return [...children]
  const replaced = new Set<string>(changed.flatMap(([role]) => [...creatorTypes[role as CreatorRole]]))
  // A creator without a type counts as a composer.
  if (texts.has('composer')) replaced.add('')
  const identification = children.find(({ name }) => name === 'identification')
  const kept = (identification?.children ?? []).filter(
    ({ name, attributes }) =>
      name !== 'creator' || !replaced.has((attributes.type ?? '').trim().toLowerCase()),
  )
  const creators = changed.flatMap(([role, text]) =>
    text === undefined ? [] : [leaf('creator', text, { type: role })],
  )
  const inside = [...creators, ...kept]
  if (identification) {
    return children.map((one) => (one === identification ? { ...identification, children: inside } : one))
  }
  if (creators.length === 0) return [...children]
  const place = children.findIndex(({ name }) => !beforeIdentification.includes(name))
  return children.toSpliced(Math.max(place, 0), 0, node('identification', inside))
}

/** Replaces the printed credits. If the score prints credits, new ones are printed too. */
function withPrinted(
  document: ScoreDocument,
  children: readonly Element[],
  old: ScoreCredits,
  texts: NewTexts,
): Element[] {
  if (!children.some(({ name }) => name === 'credit')) return [...children]
  const printed = new Set<keyof ScoreCredits>()
  const result = children.flatMap((element) => {
    const role = element.name === 'credit' ? roleOf(element, old) : undefined
    if (role === undefined || !texts.has(role)) return [element]
    const text = texts.get(role)
    // The same text twice, such as a title of a cover and of the first page, stays twice.
    printed.add(role)
    return text === undefined ? [] : [withWords(element, text)]
  })
  const missing = [...texts].filter(([role, text]) => text !== undefined && !printed.has(role))
  const place = result.findIndex(({ name }) => name === 'part-list')
  const added = missing.map(([role, text]) => headerCredit(document, role, text ?? ''))
  return result.toSpliced(place, 0, ...added)
}

/** Returns the credit that a printed text is. */
function roleOf(credit: Element, old: ScoreCredits): keyof ScoreCredits | undefined {
  if (child(credit, 'credit-words') === undefined) return undefined
  const typed = creditRoleOf(credit)
  if (typed !== undefined || childText(credit, 'credit-type')) return typed
  const text = creditText(credit)
  return text === undefined ? undefined : roles.find((role) => old[role] === text)
}

/** Replaces the text of a printed credit, with the look of its first words. */
function withWords(credit: Element, text: string): Element {
  const [first, ...rest] = childrenNamed(credit, 'credit-words')
  const kept = credit.children.filter((one) => !rest.includes(one))
  return { ...credit, children: kept.map((one) => (one === first ? { ...one, text } : one)) }
}
