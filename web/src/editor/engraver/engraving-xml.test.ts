import { describe, expect, it } from 'vitest'
import { identifiedScore, testUuid } from '../../../../src/music/testing/editing-score.ts'
import { note } from '../../../../src/music/testing/mini-score.ts'
import { engravingXml } from './engraving-xml.ts'

const attributes = (content: string) => `<attributes>${content}</attributes>`
const score = identifiedScore([
  `${attributes('<divisions>4</divisions><key><fifths>2</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef>')}${note('C4', 16)}`,
  `${note('D4', 8)}${attributes('<clef><sign>F</sign><line>4</line></clef>')}${note('D3', 8)}`,
  `<print new-page="yes"/>${note('E3', 16)}`,
  `${attributes('<time><beats>3</beats><beat-type>4</beat-type></time>')}${note('F3', 12)}`,
])

/** The attributes at the start of the first measure that is written. */
const startOf = (xml: string): string =>
  (/<measure[^>]*>\s*<attributes>([\s\S]*?)<\/attributes>/.exec(xml)?.[1] ?? '').replaceAll(/\s+(?=<|$)/g, '')

describe('the score for the engraver', () => {
  it('has ids for measures and notes, and no pages', () => {
    const xml = engravingXml(score)
    expect(xml.match(/<measure number="\d+" id="measure-[^"]+"/g)).toHaveLength(4)
    expect(xml).toContain(`id="${testUuid(3)}-${testUuid(1)}-1"`)
    expect(xml).not.toContain('<print')
  })

  it('begins later measures with the key and the clef that hold there, and hides the time signature', () => {
    const xml = engravingXml(score, { from: 2, to: 3 })
    expect(xml.match(/<measure /g)).toHaveLength(1)
    expect(startOf(xml)).toBe(
      '<divisions>4</divisions><key><fifths>2</fifths></key><time print-object="no"><beats>4</beats><beat-type>4</beat-type></time><clef><sign>F</sign><line>4</line></clef>',
    )
  })

  it('shows a time signature that changes there, once', () => {
    const xml = engravingXml(score, { from: 3, to: 4 })
    expect(startOf(xml)).toContain('<time><beats>3</beats>')
    expect(xml.match(/<attributes>/g)).toHaveLength(1)
  })

  it('is the same for the first measures as within the whole score', () => {
    const [whole, part] = [engravingXml(score), engravingXml(score, { from: 0, to: 2 })]
    const measures = /<measure[\s\S]*<\/measure>/.exec(part)?.[0] ?? 'none'
    expect(whole).toContain(measures)
  })
})
