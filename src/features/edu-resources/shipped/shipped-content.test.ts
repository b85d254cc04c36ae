import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { gradeNames, teachingThemes } from '../../../contract/edu-resources.ts'
import { createNotation } from '../../../engines/notation.ts'
import { partsOf } from '../../../music/document.ts'
import { readMusicXml } from '../../../music/musicxml-reader.ts'
import { type Shorthand, shorthandToMusicXml } from '../../../music/shorthand.ts'
import { orderFaults } from '../../../music/testing/schema-order.ts'
import { voiceFaults } from '../../../music/testing/voices.ts'
import { contentVersion, shippedContent } from './shipped-content.ts'

/** Of which edition the content is that is here: where this fails, raise `contentVersion` and note the new hash. */
const edition = { version: 3, hash: '0dcb2c4ee3dce50c' }

const types = ['none', 'newScore', 'scoreTemplate', 'sharedWriting', 'worksheet', 'worksheetText', 'performance']
const scores = shippedContent.flatMap(({ key, scores = [] }) =>
  scores.map(({ score, use }) => [`${key}: ${score.title}`, score, use] as const),
)

describe('the shipped content', () => {
  it('has an edition of its own for each change of its texts and of its music', () => {
    const music = scores.map(([, score]) => shorthandToMusicXml(score))
    const whole = JSON.stringify([shippedContent, music])
    const hash = createHash('sha256').update(whole).digest('hex').slice(0, 16)
    expect({ version: contentVersion, hash }).toEqual(edition)
  })

  it('has something for every subject, grade and type, under keys of their own', () => {
    expect(shippedContent.length).toBeGreaterThanOrEqual(24)
    expect(new Set(shippedContent.map(({ key }) => key)).size).toBe(shippedContent.length)
    expect(new Set(shippedContent.flatMap(({ subjects }) => subjects))).toEqual(new Set(teachingThemes))
    expect(new Set(shippedContent.flatMap(({ grades }) => grades))).toEqual(new Set(gradeNames))
    expect(new Set(shippedContent.map(({ type }) => type))).toEqual(new Set(types))
  })

  it.each(shippedContent.map((one) => [one.key, one] as const))(
    '%s says what it is for, what to do and how to teach it',
    (_key, { title, about, task, teaching, type, scores = [] }) => {
      for (const text of [title, about, task, teaching]) expect(text.trim()).not.toBe('')
      expect(about.length).toBeLessThanOrEqual(400)
      const uses = scores.map(({ use }) => use)
      if (type === 'performance') expect(uses).toContain('performance')
      if (type === 'scoreTemplate') expect(uses).toContain('copy')
      // A copy is what each group writes together; what is attached for writing would be one score for all groups.
      if (type === 'sharedWriting') expect(uses).toContain('copy')
      expect(new Set(scores.map(({ key }) => key)).size).toBe(scores.length)
    },
  )
})

describe('a score of the shipped content', () => {
  const notation = createNotation({ processes: 1 })
  afterAll(() => notation.close())

  it.each(scores)('%s is sound MusicXML with full measures', (_name, score) => {
    const document = readMusicXml(Buffer.from(shorthandToMusicXml(score)))
    expect(orderFaults(document)).toEqual([])
    for (const part of partsOf(document)) expect(faultsOf(part, score)).toEqual([])
  })

  it('can be engraved, each with a head for each of its notes', async () => {
    for (const [name, score] of scores) {
      const read = await notation.read({ bytes: Buffer.from(shorthandToMusicXml(score)) })
      expect([name, read.facts.title, read.facts.composer]).toEqual([name, score.title, score.composer])
      const svg = Buffer.from(await notation.write({ json: read.json }, 'svg')).toString()
      const heads = svg.match(/class="Note"/g)?.length ?? 0
      expect([name, heads]).toEqual([name, read.facts.noteCount])
    }
  }, 120_000)
})

/** Faults of measures that are no upbeat. */
function faultsOf(part: Parameters<typeof voiceFaults>[0], { time = '4/4', upbeat }: Shorthand): string[] {
  const [beats = 0, beatType = 4] = time.split('/').map(Number)
  const faults = voiceFaults(part, (beats * 4) / beatType)
  return faults.filter((fault) => !(upbeat !== undefined && fault.startsWith('measure 0:')))
}
