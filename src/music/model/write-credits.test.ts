import { describe, expect, it } from 'vitest'
import { creditsOf } from './credits.ts'
import { child, childrenNamed, type Element, type ScoreDocument } from './document.ts'
import { leaf, node } from './element.ts'
import { withCredits } from './write-credits.ts'
import { withPrintedHeader } from './header-credits.ts'

const credit = (words: string, type?: string) =>
  node(
    'credit',
    [...(type ? [leaf('credit-type', type)] : []), leaf('credit-words', words, { 'font-size': '9' })],
    {
      page: '1',
    },
  )
const score = (...header: Element[]): ScoreDocument => ({
  root: node('score-partwise', [...header, node('part-list', []), node('part', [], { id: 'P1' })]),
})
const all = {
  title: 'Title',
  subtitle: 'Subtitle',
  composer: 'Composer',
  lyricist: 'Lyricist',
  arranger: 'Arranger',
}
const none = { subtitle: undefined, composer: undefined, lyricist: undefined, arranger: undefined }
const names = ({ root }: ScoreDocument) => root.children.map(({ name }) => name)
const printed = ({ root }: ScoreDocument) =>
  childrenNamed(root, 'credit').map((one) => child(one, 'credit-words')?.text)

describe('withCredits', () => {
  it('writes credits into a score without any, in the order of MusicXML', () => {
    const changed = withCredits(score(), all)
    expect(creditsOf(changed)).toEqual(all)
    expect(names(changed)).toEqual(['work', 'movement-title', 'identification', 'part-list', 'part'])
  })

  it('changes only what is given, and removes what is null', () => {
    const changed = withCredits(withCredits(score(), all), { composer: 'Another', lyricist: null })
    expect(creditsOf(changed)).toEqual({ ...all, composer: 'Another', lyricist: undefined })
    const cleared = withCredits(changed, { subtitle: null, composer: null, lyricist: null, arranger: null })
    expect(creditsOf(cleared)).toEqual({ ...none, title: 'Title' })
    expect(withCredits(changed, {})).toEqual(changed)
  })

  it('replaces creators of other types with the same meaning, and keeps the rest of the identification', () => {
    const identification = node('identification', [
      leaf('creator', 'Old', { type: 'Music by' }),
      leaf('creator', 'Untyped'),
      leaf('creator', 'Poet', { type: 'poet' }),
      leaf('rights', 'Mine'),
    ])
    const changed = withCredits(score(identification), { composer: 'New' })
    expect(child(changed.root, 'identification')?.children.map(({ text }) => text)).toEqual([
      'New',
      'Poet',
      'Mine',
    ])
  })

  it.each([
    ['a movement title that is the title', [leaf('movement-title', 'Old')]],
    [
      'both titles alike',
      [node('work', [leaf('work-number', '1'), leaf('work-title', 'Old')]), leaf('movement-title', 'Old')],
    ],
    ['a printed title', [credit('Old', 'title')]],
  ])('changes the title of a score with %s, without a subtitle', (_, header) => {
    expect(creditsOf(withCredits(score(...header), { title: 'New' }))).toEqual({ ...none, title: 'New' })
  })

  it('keeps the look and place of printed credits, by their type or by their text', () => {
    const header = [
      node('work', [leaf('work-title', 'Old')]),
      credit('Old'),
      credit('Anything', 'subtitle'),
      credit('Page 1', 'page number'),
    ]
    const changed = withCredits(score(...header), { title: 'New', subtitle: 'Below' })
    expect(printed(changed)).toEqual(['New', 'Below', 'Page 1'])
    expect(creditsOf(changed)).toEqual({ ...none, title: 'New', subtitle: 'Below' })
    const [first] = childrenNamed(changed.root, 'credit')
    expect(first && child(first, 'credit-words')?.attributes['font-size']).toBe('9')
    expect(printed(withCredits(changed, { subtitle: null }))).toEqual(['New', 'Page 1'])
  })

  it('prints a new credit of a score that prints credits', () => {
    expect(printed(withCredits(score(credit('Old', 'title')), { composer: 'New' }))).toEqual(['Old', 'New'])
  })

  it('leaves out characters that XML does not allow', () => {
    expect(creditsOf(withCredits(score(), { title: 'A\u0001\uFFFEB' })).title).toBe('A B')
  })
})

describe('withPrintedHeader', () => {
  it('prints all credits of a score that has a subtitle or an arranger and prints none', () => {
    const document = withPrintedHeader(withCredits(score(), all))
    expect(printed(document)).toEqual(['Title', 'Subtitle', 'Composer', 'Lyricist', 'Arranger'])
    expect(names(document).slice(2, 5)).toEqual(['identification', 'defaults', 'credit'])
  })

  it('leaves other scores to the engine', () => {
    for (const document of [
      score(),
      withCredits(score(), { title: 'A', composer: 'B' }),
      score(credit('C', 'arranger')),
    ])
      expect(withPrintedHeader(document)).toBe(document)
  })
})
