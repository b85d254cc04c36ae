import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../test/support/failure.ts'
import { child, partsOf, type ScoreDocument } from './document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { selectParts } from './parts.ts'

/** A score with that part list and these parts. The uuid of each part is its id. */
function scoreOf(list: string, ids: string[]): ScoreDocument {
  const parts = ids.map((id) => `<part id="${id}"><measure/></part>`).join('')
  const document = readMusicXml(
    Buffer.from(`<score-partwise><work/><part-list>${list}</part-list>${parts}</score-partwise>`),
  )
  for (const part of partsOf(document)) part.uuid = part.attributes.id ?? ''
  return document
}

function entry(id: string): string {
  return `<score-part id="${id}"><part-name>${id}</part-name></score-part>`
}

function group(type: 'start' | 'stop', number: number): string {
  return `<part-group type="${type}" number="${number}"/>`
}

/** The part list on one line: `[1` and `]1` for a group, ids for parts. */
function listOf(document: ScoreDocument): string {
  const list = child(document.root, 'part-list')?.children ?? []
  const written = list.map(({ name, attributes }) => {
    if (name === 'score-part') return attributes.id ?? '?'
    return `${attributes.type === 'start' ? '[' : ']'}${attributes.number ?? ''}`
  })
  return written.join(' ')
}

describe('selectParts', () => {
  const list = `${group('start', 1)}${entry('A')}${group('start', 2)}${entry('B')}${entry('C')}${group('stop', 2)}${group('stop', 1)}${entry('D')}`

  it('returns the parts in score order for any order of the uuids', () => {
    const document = scoreOf(list, ['A', 'B', 'C', 'D'])
    const selected = selectParts(document, ['D', 'B', 'D'])
    expect(partsOf(selected).map(({ uuid }) => uuid)).toEqual(['B', 'D'])
    expect(selected.root.children.map(({ name }) => name)).toEqual(['work', 'part-list', 'part', 'part'])
    expect(listOf(selected)).toBe('[1 [2 B ]2 ]1 D')
  })

  it('does not change the given score', () => {
    const document = scoreOf(list, ['A', 'B', 'C', 'D'])
    const before = structuredClone(document)
    selectParts(document, ['A'])
    expect(document).toEqual(before)
  })

  it.each([
    [['A'], '[1 A ]1'],
    [['D'], 'D'],
    [['A', 'D'], '[1 A ]1 D'],
    [['C'], '[1 [2 C ]2 ]1'],
  ])('drops groups that would be empty if only %j remain', (uuids, expected) => {
    expect(listOf(selectParts(scoreOf(list, ['A', 'B', 'C', 'D']), uuids))).toBe(expected)
  })

  it('handles groups that overlap, reuse a number, or are not closed', () => {
    const overlapping = `${group('start', 1)}${entry('A')}${group('start', 2)}${entry('B')}${group('stop', 1)}${entry('C')}${group('stop', 2)}`
    expect(listOf(selectParts(scoreOf(overlapping, ['A', 'B', 'C']), ['C']))).toBe('[2 C ]2')
    const again = `${group('start', 1)}${entry('A')}${group('stop', 1)}${group('start', 1)}${entry('B')}${group('stop', 1)}`
    expect(listOf(selectParts(scoreOf(again, ['A', 'B']), ['B']))).toBe('[1 B ]1')
    const open = `${entry('A')}${group('start', 1)}${entry('B')}`
    expect(listOf(selectParts(scoreOf(open, ['A', 'B']), ['A']))).toBe('A')
    expect(listOf(selectParts(scoreOf(open, ['A', 'B']), ['B']))).toBe('[1 B')
  })

  it('drops entries of the part list that have no part', () => {
    expect(
      listOf(selectParts(scoreOf(`${entry('A')}${entry('X')}${entry('B')}`, ['A', 'B']), ['A', 'B'])),
    ).toBe('A B')
  })

  it('matches parts without an id by their position', () => {
    const document = readMusicXml(
      Buffer.from(
        `<score-partwise><part-list>${entry('A')}${entry('B')}</part-list><part><measure/></part><part id="B"><measure/></part></score-partwise>`,
      ),
    )
    for (const [index, part] of partsOf(document).entries()) part.uuid = String(index)
    expect(listOf(selectParts(document, ['0']))).toBe('A')
    expect(listOf(selectParts(document, ['1']))).toBe('B')
  })

  it.each([[['A', 'X']], [['']], [[]]])('refuses %j, naming the parameter', (uuids: string[]) => {
    const failure = failureOf(() => selectParts(scoreOf(list, ['A', 'B', 'C', 'D']), uuids))
    expect(failure).toMatchObject({ code: 'INVALID_PARAMETER', status: 400, param: 'parts' })
  })
})
