import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { direction, miniTimeline, note, notesOf, orderOf, words } from '../testing/mini-score.ts'
import { timelineOf } from './timeline.ts'

const forward = '<barline location="left"><repeat direction="forward"/></barline>'
const backward = (attributes = '') =>
  `<barline location="right"><repeat direction="backward" ${attributes}/></barline>`
const startEnding = (number: string) =>
  `<barline location="left"><ending number="${number}" type="start"/></barline>`
const stopEnding = (number: string, inside = '', type = 'stop') =>
  `<barline location="right"><ending number="${number}" type="${type}"/>${inside}</barline>`
const goBack = '<repeat direction="backward"/>'
const wholeNote = note('C4', 4)
const sound = (attributes: string) => `<sound ${attributes}/>`

/** The order of measures that hold a whole note each, and these marks. */
function played(...measures: string[]): string {
  return orderOf(miniTimeline(measures.map((marks) => note('C4', 4) + marks)))
}

describe('repeats', () => {
  test('a section without a forward repeat is repeated from the beginning', () => {
    expect(played('', backward(), '')).toBe('1 2 1 2 3')
  })

  test('a section is played as often as `times` demands', () => {
    expect(played('', forward, backward('times="4"'), '')).toBe('1 2 3 2 3 2 3 2 3 4')
  })

  test('a repeat that is played once goes on', () => {
    expect(played('', backward('times="1"'), '')).toBe('1 2 3')
  })

  test('a backward repeat without a forward one goes back to the end of the last repeat', () => {
    expect(played('', backward(), '', backward(), '')).toBe('1 2 1 2 3 4 3 4 5')
  })

  test('repeats nest, and the inner one is repeated each time', () => {
    expect(played(forward, forward, backward(), backward(), '')).toBe('1 2 3 2 3 4 1 2 3 2 3 4 5')
  })

  test('a forward repeat of a sound counts', () => {
    expect(played('', sound('forward-repeat="yes"'), backward(), '')).toBe('1 2 3 2 3 4')
  })

  test('a forward repeat without a backward one has no effect', () => {
    expect(played('', forward, '')).toBe('1 2 3')
  })

  test('one measure can be repeated on its own', () => {
    expect(played('', forward + backward(), '')).toBe('1 2 2 3')
  })

  test('repeats in one part apply to all parts', () => {
    const timeline = miniTimeline([note('C4', 4), note('C4', 4)], [note('E4', 4) + backward(), note('E4', 4)])
    expect(orderOf(timeline)).toBe('1 1 2')
    expect(notesOf(timeline, 0)).toHaveLength(3)
  })

  test('a repeat at the end of parts with fewer measures is still played', () => {
    const timeline = miniTimeline([note('C4', 4)], [note('E4', 4), note('E4', 4) + backward()])
    expect(orderOf(timeline)).toBe('1 2 1 2')
    expect(notesOf(timeline, 0)).toEqual(['60@0-4', '60@8-12'])
  })

  test('repeats that multiply beyond 20,000 measures are refused, with the measure', () => {
    const nested = Array.from({ length: 8 }, () => forward)
    expect(() => played(...nested, ...nested.map(() => backward('times="9"')))).toThrowError(
      expect.objectContaining({
        code: 'INVALID_MUSICXML',
        message: expect.stringMatching(/20000 measures.*measure \d+/),
      }),
    )
  })
})

describe('endings', () => {
  test('each is played at the times of its numbers', () => {
    expect(
      played(
        forward,
        startEnding('1, 2') + stopEnding('1, 2', goBack),
        startEnding('3') + stopEnding('3', '', 'discontinue'),
        '',
      ),
    ).toBe('1 2 1 2 1 3 4')
  })

  test('a time without an ending uses the ending before it', () => {
    expect(played('', startEnding('1') + stopEnding('1', goBack), startEnding('3') + stopEnding('3'))).toBe(
      '1 2 1 2 1 3',
    )
  })

  test('a lone first ending is skipped the last time', () => {
    expect(played('', startEnding('1') + stopEnding('1', goBack), '')).toBe('1 2 1 3')
  })

  test('a bracket without a stop ends with its repeat, the last one after its measure', () => {
    expect(played('', startEnding('1'), backward(), startEnding('2'), forward, backward())).toBe(
      '1 2 3 1 4 5 6 5 6',
    )
  })

  test('one that stops before its repeat reaches to it', () => {
    expect(
      played('', startEnding('1') + stopEnding('1'), backward(), startEnding('2') + stopEnding('2'), ''),
    ).toBe('1 2 3 1 4 5')
    expect(
      played(
        '',
        startEnding('1') + stopEnding('1', goBack),
        startEnding('2') + stopEnding('2'),
        backward(),
        startEnding('3') + stopEnding('3'),
      ),
    ).toBe('1 2 1 3 4 1 5')
  })

  test('a backward repeat in the last ending does not go back once more', () => {
    expect(
      played('', startEnding('1') + stopEnding('1', goBack), startEnding('2') + stopEnding('2', goBack), ''),
    ).toBe('1 2 1 3 4')
  })

  test('the next section without a forward repeat starts after the last ending', () => {
    expect(
      played(
        '',
        startEnding('1') + stopEnding('1', goBack),
        startEnding('2') + stopEnding('2'),
        '',
        backward(),
        '',
      ),
    ).toBe('1 2 1 3 4 5 4 5 6')
  })

  test('brackets of nested repeats start from one again each time', () => {
    expect(
      played(
        forward,
        forward,
        startEnding('1') + stopEnding('1', goBack),
        startEnding('2') + stopEnding('2'),
        backward(),
        '',
      ),
    ).toBe('1 2 3 2 4 5 1 2 3 2 4 5 6')
  })
})

describe('jumps', () => {
  test('D.C. al Fine', () => {
    expect(played('', sound('fine="yes"'), sound('dacapo="yes"'), '')).toBe('1 2 3 1 2')
  })

  test('D.S. al Coda', () => {
    expect(
      played('', sound('segno="s"'), sound('tocoda="c"'), sound('dalsegno="s"'), sound('coda="c"'), ''),
    ).toBe('1 2 3 4 2 3 5 6')
  })

  test('several signs are distinguished by labels', () => {
    expect(
      played(
        sound('segno="a"'),
        sound('tocoda="a"') + sound('segno="b"'),
        sound('dalsegno="a"'),
        sound('coda="a"'),
        sound('dalsegno="b"'),
        '',
      ),
    ).toBe('1 2 3 1 2 4 5 2 4 5 6')
  })

  test('after a jump there are no repeats, and the last ending is played', () => {
    expect(
      played(
        forward,
        startEnding('1') + stopEnding('1', goBack),
        startEnding('2') + stopEnding('2'),
        forward,
        backward(),
        sound('dacapo="yes"'),
      ),
    ).toBe('1 2 1 3 4 5 4 5 6 1 3 4 5 6')
  })

  test('after a jump a repeat with after-jump is played', () => {
    expect(played('', backward('after-jump="yes"'), sound('dacapo="yes"'))).toBe('1 2 1 2 3 1 2 1 2 3')
  })

  test('a coda has its own repeats', () => {
    expect(
      played('', sound('tocoda="c"'), sound('dacapo="yes"'), sound('coda="c"') + forward, backward(), ''),
    ).toBe('1 2 3 1 2 4 5 4 5 6')
  })

  test('a repeat is completed before a jump at the same place', () => {
    expect(played('', sound('fine="yes"'), backward() + sound('dacapo="yes"'))).toBe('1 2 3 1 2 3 1 2')
  })

  test('time-only gives the times of a jump', () => {
    expect(played('', forward, sound('tocoda="c" time-only="2"'), backward(), sound('coda="c"'))).toBe(
      '1 2 3 4 2 3 5',
    )
  })

  test('a jump back at a time that it names is made instead of the repeat at its place', () => {
    const jump = (times: string) => sound(`dacapo="yes" time-only="${times}"`)
    expect(played('', forward, backward() + jump('1'), '')).toBe('1 2 3 1 2 3 4')
    expect(played('', forward, backward() + jump('2'), '')).toBe('1 2 3 2 3 1 2 3 4')
  })

  test('Fine and To Coda have no effect before a jump', () => {
    expect(played(sound('fine="yes"'), sound('tocoda="c"'), sound('coda="c"'))).toBe('1 2 3')
  })

  test('a jump to a missing sign is ignored', () => {
    expect(played('', sound('dalsegno="s"'), '')).toBe('1 2 3')
  })

  test('a coda before its To Coda does not loop forever', () => {
    expect(played(sound('coda="c"'), sound('tocoda="c"'), sound('dacapo="yes"'))).toBe('1 2 3 1 2 1 2 3')
  })

  test('more than 200 jumps back are refused, with the measure', () => {
    const around = Array.from({ length: 201 }, () => sound('segno="s" dalsegno="s"'))
    expect(() => played(...around)).toThrowError(
      expect.objectContaining({
        code: 'INVALID_MUSICXML',
        message: expect.stringContaining('at measure 201'),
      }),
    )
  })

  const segno = direction('<segno/>')
  const coda = direction('<coda/>')

  test.each([
    ['D.C.', '1 2 3 4 1 2 3 4 5'],
    ['D.C. al Fine', '1 2 3 4 1 2'],
    ['Da Capo al Fine.', '1 2 3 4 1 2'],
    ['D.S. al Fine', '1 2 3 4 2'],
    ['Dal Segno al Fine', '1 2 3 4 2'],
  ])('the words "%s" count if no sound has the jump', (text, order) => {
    const fine = text.includes('Fine') ? words('Fine') : ''
    expect(played('', segno + fine, '', words(text), '')).toBe(order)
  })

  test('the words "To Coda" and "D.S. al Coda" with signs', () => {
    expect(played('', segno, words('To Coda'), words('D.S. al Coda'), coda, '')).toBe('1 2 3 4 2 3 5 6')
  })

  test('the first of two bare coda signs is To Coda and the second one is the coda', () => {
    expect(played('', coda, words('D.C. al Coda'), coda, '')).toBe('1 2 3 1 2 4 5')
  })

  test('words next to a sound do not jump a second time', () => {
    expect(played('', words('Fine', sound('fine="yes"')), words('D.C. al Fine', sound('dacapo="yes"')))).toBe(
      '1 2 3 1 2',
    )
  })

  test('"al Coda" does not stop at Fine', () => {
    expect(
      played(
        sound('fine="yes"'),
        sound('tocoda="c"'),
        words('D.C. al Coda', sound('dacapo="yes"')),
        sound('coda="c"'),
      ),
    ).toBe('1 2 3 1 2 4')
  })

  test.each(['Menuetto D.C.', 'Menuetto da capo', 'Scherzo da Capo', 'Minuet D.C. al Fine', 'Marcia d. c.'])(
    'the words may name the movement: %s',
    (text) => {
      expect(played('', words('Fine'), '', words(text))).toBe('1 2 3 4 1 2')
    },
  )

  test.each(['senza D.C.', 'no D.C.', 'Fine D.C.', 'Sir D.C. Heath'])(
    'a text that is no jump: %s',
    (text) => {
      expect(played('', words(text), '')).toBe('1 2 3')
    },
  )

  test.each(['D.C. con rep. al Fine', 'Da Capo al Fine con ripetizioni', 'D.C. with repeats'])(
    'the repeats are played again after "%s"',
    (text) => {
      expect(played(backward(), words('Fine'), words(text))).toBe('1 1 2 3 1 1 2')
    },
  )

  test.each(['Da Capo al Fine e poi la Coda', 'D.C. al Fine, poi la Coda', 'Menuetto Da Capo, poi la Coda'])(
    'the coda follows the Fine after "%s"',
    (text) => {
      expect(played('', words('Fine'), words(text), coda, '')).toBe('1 2 3 1 2 4 5')
    },
  )

  test('"D.C. al Segno" ends before the segno, or after it if it is not at the start of its measure', () => {
    const before = (text: string) =>
      orderOf(
        miniTimeline([wholeNote, wholeNote, segno + wholeNote, wholeNote + words(text), coda + wholeNote]),
      )
    expect(before('D.C. al Segno')).toBe('1 2 3 4 1 2')
    expect(before('D.C. al Segno e poi la Coda')).toBe('1 2 3 4 1 2 5')
    expect(played('', segno, '', words('D.C. al Segno'))).toBe('1 2 3 4 1 2')
  })

  test('words with another meaning do not jump', () => {
    expect(played('', words('dolce'), words('D.C. Heath'), words('Finetto'), '')).toBe('1 2 3 4 5')
  })
})

describe('time-only', () => {
  test('limits notes, lyrics and other elements to the times that it gives', () => {
    const lyric = (number: number, text: string) => `<lyric number="${number}"><text>${text}</text></lyric>`
    const timeline = miniTimeline([
      note('C4', 2, lyric(1, 'one') + lyric(2, 'two')) +
        note('D4', 2, lyric(1, 'first'), 'time-only="1"') +
        '<backup><duration>2</duration></backup>' +
        note('E4', 2, lyric(2, 'second'), 'time-only="2"') +
        backward(),
    ])
    expect(notesOf(timeline)).toEqual(['60@0-2', '62@2-4', '60@4-6', '64@6-8'])
    expect(timeline.parts[0]?.lyrics.map(({ text }) => text)).toEqual(['one', 'first', 'two', 'second'])
  })
})

const suite = new URL('../../../../shared/corpus/musicxml-suite/', import.meta.url)

describe.skipIf(!existsSync(suite))(
  'the repeats of the MusicXML suite (skipped without ../shared/corpus)',
  () => {
    test.each([
      ['45a-SimpleRepeat.xml', '1 1 1 1 1 2'],
      ['45b-RepeatWithAlternatives.xml', '1 2 1 3 4'],
      // The second repeat sign has no forward sign: it goes back to the end of the first repeat.
      ['45c-RepeatMultipleTimes.xml', '1 2 3 2 3 2 3 2 3 2 3 4 5 6 7 4 5 6 7 4 5 6 7 8'],
      ['45d-Repeats-Nested-Alternatives.xml', '1 2 1 3 4 5 1 6 7 8 9 1 10 1 11 12'],
      // Measure 8 is the second ending of 6–7 and begins the repeat 8–9.
      ['45e-Repeats-Nested-Alternatives.xml', '1 2 1 3 4 5 5 6 7 6 8 9 8 9 10'],
      // The brackets contradict one another, so only the repeat sign counts.
      ['45f-Repeats-InvalidEndings.xml', '1 2 3 4 1 2 3 4 5'],
      ['45g-Repeats-NotEnded.xml', '1 2'],
    ])('%s', (file, order) => {
      expect(orderOf(timelineOf(readMusicXml(readFileSync(new URL(file, suite)))))).toBe(order)
    })
  },
)
