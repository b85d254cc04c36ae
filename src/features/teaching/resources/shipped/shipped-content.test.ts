import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { gradeNames, teachingThemes } from '../../../../contract/edu-resources.ts'
import { createNotation } from '../../../../engines/notation.ts'
import { contentUrl } from '../../../../lib/content.ts'
import { child, childText, type Element, measuresOf, partsOf } from '../../../../music/model/document.ts'
import { readMusicXml } from '../../../../music/formats/musicxml/read.ts'
import { factsOf } from '../../../../music/model/facts.ts'
import { orderFaults } from '../../../../music/testing/schema-order.ts'
import { voiceFaults } from '../../../../music/testing/voices.ts'
import { readShippedContent } from './shipped-content.ts'

/** If this does not match, raise `version` in content/lessons/index.json and note the new hash here. */
const edition = { version: 5, hash: 'd4ac4b82085290df' }

const lesson = {
  title: 'Walk',
  type: 'performance',
  subjects: [],
  grades: ['1'],
  about: 'A walk.',
  task: ['Walk.'],
  teaching: ['Let them walk.'],
}

const types = [
  'none',
  'newScore',
  'scoreTemplate',
  'sharedWriting',
  'worksheet',
  'worksheetText',
  'performance',
]
const { version, assignments: shippedContent } = readShippedContent()
const scores = shippedContent.flatMap(({ key, scores }) =>
  scores.map((score) => [`${key}/${score.key}`, score.musicXml] as const),
)

describe('the shipped content', () => {
  it('has a new edition for each change of its texts and its music', () => {
    const hash = createHash('sha256')
    for (const { scores, ...texts } of shippedContent) {
      hash.update(JSON.stringify([texts, scores.map(({ key, use }) => [key, use])]))
      for (const { musicXml } of scores) hash.update(musicXml)
    }
    expect({ version, hash: hash.digest('hex').slice(0, 16) }).toEqual(edition)
  })

  it('lists each folder with a lesson, and each lesson uses each of its scores', () => {
    const folders = readdirSync(contentUrl('lessons/'), { withFileTypes: true })
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(names.sort()).toEqual(shippedContent.map(({ key }) => key).sort())
    for (const { key, scores } of shippedContent) {
      const files = readdirSync(contentUrl(`lessons/${key}/`)).filter((file) => file !== 'lesson.json')
      expect(files.sort()).toEqual(scores.map((score) => `${score.key}.musicxml`).sort())
    }
  })

  it('covers every subject, grade and type, with unique keys', () => {
    expect(shippedContent.length).toBeGreaterThanOrEqual(24)
    expect(new Set(shippedContent.map(({ key }) => key)).size).toBe(shippedContent.length)
    expect(new Set(shippedContent.flatMap(({ subjects }) => subjects))).toEqual(new Set(teachingThemes))
    expect(new Set(shippedContent.flatMap(({ grades }) => grades))).toEqual(new Set(gradeNames))
    expect(new Set(shippedContent.map(({ type }) => type))).toEqual(new Set(types))
  })

  it.each(shippedContent.map((one) => [one.key, one] as const))(
    '%s has a purpose, a task and teaching notes',
    (_key, { title, about, task, teaching, type, scores }) => {
      for (const text of [title, about, ...task, ...teaching]) expect(text.trim()).not.toBe('')
      expect(about.length).toBeLessThanOrEqual(400)
      const uses = scores.map(({ use }) => use)
      if (type === 'performance') expect(uses).toContain('performance')
      if (type === 'scoreTemplate') expect(uses).toContain('copy')
      // With `copy` each group gets a score of its own. An attachment for writing would be one score for all
      // groups.
      if (type === 'sharedWriting') expect(uses).toContain('copy')
      expect(new Set(scores.map(({ key }) => key)).size).toBe(scores.length)
    },
  )
})

describe('readShippedContent', () => {
  it.each([
    ['index.json', '{"version": 0, "lessons": []}', '/version must be >= 1'],
    ['index.json', '{"version": 1', 'is not JSON'],
    ['walk/lesson.json', '{"title": "Walk"}', "must have required property 'type'"],
    ['walk/lesson.json', JSON.stringify({ ...lesson, grades: ['99'] }), '/grades/0 must be equal to one of'],
    ['walk/lesson.json', JSON.stringify({ ...lesson, extra: 1 }), 'must NOT have additional properties'],
    [
      'walk/lesson.json',
      JSON.stringify({ ...lesson, scores: [{ key: 'no-file', use: 'read' }] }),
      'no-file.musicxml',
    ],
  ])('names the file and the mistake: %s with %s', (file, content, problem) => {
    const folder = mkdtempSync(join(tmpdir(), 'partita-lessons-'))
    try {
      mkdirSync(join(folder, 'walk'))
      writeFileSync(join(folder, 'index.json'), '{"version": 1, "lessons": ["walk"]}')
      writeFileSync(join(folder, 'walk', 'lesson.json'), JSON.stringify(lesson))
      const url = `${pathToFileURL(folder)}/`
      expect(readShippedContent(url).assignments).toHaveLength(1)
      writeFileSync(join(folder, file), content)
      expect(() => readShippedContent(url).assignments).toThrow(problem)
      if (problem !== 'no-file.musicxml') expect(() => readShippedContent(url).assignments).toThrow(file)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a score of the shipped content', () => {
  const notation = createNotation({ processes: 1 })
  const waiters = { callers: ['test'] }
  afterAll(() => notation.close())

  it.each(scores)('%s is valid MusicXML with full measures', (_name, musicXml) => {
    const document = readMusicXml(musicXml)
    expect(orderFaults(document)).toEqual([])
    for (const part of partsOf(document)) expect(faultsOf(part)).toEqual([])
  })

  it('can be engraved, with a notehead for each of its notes', async () => {
    for (const [name, musicXml] of scores) {
      const read = await notation.read({ bytes: musicXml }, waiters)
      expect(read.facts).toEqual(factsOf(readMusicXml(musicXml)))
      expect([name, read.facts.title]).toEqual([name, expect.stringMatching(/\w/)])
      const svg = Buffer.from(await notation.write({ json: read.json }, 'svg', waiters)).toString()
      const heads = svg.match(/class="Note"/g)?.length ?? 0
      expect([name, heads]).toEqual([name, read.facts.noteCount])
    }
  }, 120_000)
})

/** Returns the incomplete measures of a part. An upbeat may be incomplete. */
function faultsOf(part: Element): string[] {
  const [first] = measuresOf(part)
  const attributes = first && child(first, 'attributes')
  const time = attributes && child(attributes, 'time')
  const [beats, beatType] = ['beats', 'beat-type'].map((name) => Number(time && childText(time, name)))
  const faults = voiceFaults(part, ((beats ?? 0) * 4) / (beatType ?? 0))
  return faults.filter((fault) => !(first?.attributes.implicit === 'yes' && fault.startsWith('measure 0:')))
}
