import { describe, expect, it } from 'vitest'
import { chordNote, graceNote, miniScore, note, rest } from '../testing/mini-score.ts'
import { identify } from './uuids.ts'
import { changedTemplateMeasures } from './template-lock.ts'

/** Returns the changed measures, with the uuids that a revision after the template gets. */
function changedIn(template: readonly string[] | readonly string[][], changed: typeof template): string[] {
  const scoreOf = (parts: typeof template) =>
    miniScore(
      ...(typeof parts[0] === 'string' ? [parts as readonly string[]] : (parts as readonly string[][])),
    )
  const [before, after] = [scoreOf(template), scoreOf(changed)]
  let last = 0
  const newUuid = () => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`
  identify(before, newUuid)
  identify(after, newUuid, before)
  return changedTemplateMeasures(before, after)
}

const first = note('C4', 1) + rest(1) + note('E4', 1) + rest(1)
const second = rest(4)
const third = note('G4', 2) + note('F4', 2)
const template = [first, second, third]

describe('a locked template', () => {
  it.each<[string, string[]]>([
    ['nothing else', template],
    [
      'notes in place of rests',
      [note('C4', 1) + note('D4', 1) + note('E4', 1) + note('F4', 1), note('A4', 4), third],
    ],
    ['shorter rests', [note('C4', 1) + rest(0.5) + note('D4', 0.5) + note('E4', 1) + rest(1), second, third]],
    [
      'notes in a chord',
      [note('C4', 1) + chordNote('G4', 1) + rest(1) + note('E4', 1) + rest(1), second, third],
    ],
    ['grace notes', [graceNote('D4') + first, second, third]],
    [
      'a second voice',
      [`${first}<backup><duration>4</duration></backup>${note('C3', 4, '<voice>2</voice>')}`, second, third],
    ],
    [
      'other divisions',
      [
        `<attributes><divisions>2</divisions></attributes>${note('C4', 2)}${rest(2)}${note('E4', 2)}${rest(2)}`,
        rest(8),
        note('G4', 4) + note('F4', 4),
      ],
    ],
    ['a measure in between', [first, note('A4', 4), second, third]],
    ['a measure in between, and a changed one', [first, note('A4', 4), note('B4', 4), third, note('C5', 4)]],
    ['no empty measure', [first, third]],
    [
      'other stems, articulations and lyrics',
      [
        first,
        second,
        note(
          'G4',
          2,
          '<stem>up</stem><notations><articulations><staccato/></articulations></notations><lyric><text>la</text></lyric>',
        ) + note('F4', 2),
      ],
    ],
  ])('accepts its notes with %s', (_what, changed) => {
    expect(changedIn(template, changed)).toEqual([])
  })

  it.each<[string, string[], string[]]>([
    ['another pitch', [note('D4', 1) + rest(1) + note('E4', 1) + rest(1), second, third], ['1']],
    ['an accidental', [note('C#4', 1) + rest(1) + note('E4', 1) + rest(1), second, third], ['1']],
    ['another duration', [note('C4', 2) + note('E4', 1) + rest(1), second, third], ['1']],
    ['another onset', [first, second, note('F4', 2) + note('G4', 2)], ['3']],
    ['a rest', [first, second, note('G4', 2) + rest(2)], ['3']],
    ['a new tie', [first, second, note('G4', 2, '<tie type="start"/>') + note('F4', 2)], ['3']],
    [
      'a cue note',
      [first, second, `${note('G4', 2).replace('<note >', '<note><cue/>')}${note('F4', 2)}`],
      ['3'],
    ],
    ['a hidden note', [first, second, note('G4', 2, '', 'print-object="no"') + note('F4', 2)], ['3']],
    ['changes in several measures', [rest(4), second, rest(4)], ['1', '3']],
    ['a deleted measure', [first, second], ['3']],
    ['measures in another order', [third, second, first], ['1']],
  ])('reports the measures with %s', (_what, changed, measures) => {
    expect(changedIn(template, changed)).toEqual(measures)
  })

  it('counts equal notes', () => {
    const unison = note('C4', 4) + chordNote('C4', 4)
    expect(changedIn([unison], [note('C4', 4)])).toEqual(['1'])
  })

  it('compares each part with its own, and reports a deleted part', () => {
    const [violin, cello] = [[note('A4', 4)], [note('C3', 4)]]
    expect(changedIn([violin, cello], [violin, [note('C3', 4) + chordNote('G3', 4)]])).toEqual([])
    expect(changedIn([violin, cello], [violin])).toEqual(['1'])
  })
})
