import { describe, expect, test } from 'vitest'
import { direction, miniTimeline, note, rest } from '../testing/mini-score.ts'
import type { Timeline } from './played.ts'

const backward = '<barline><repeat direction="backward"/></barline>'
const pedal = (type: string) => direction(`<pedal type="${type}"/>`)

/** `quarter:controller=value` of the first part. */
function controls({ parts, ticksPerQuarter }: Timeline): string[] {
  return (parts[0]?.controls ?? []).map(
    ({ tick, controller, value }) => `${tick / ticksPerQuarter}:${controller}=${value}`,
  )
}

describe('pedals', () => {
  test('go down, change and go up', () => {
    const quarter = note('C4', 1)
    expect(
      controls(
        miniTimeline([pedal('start') + quarter + pedal('change') + quarter + pedal('stop') + quarter]),
      ),
    ).toEqual(['0:64=127', '1:64=0', '1:64=127', '2:64=0'])
  })

  test('are lifted before they are pressed again', () => {
    const quarter = note('C4', 1)
    expect(
      controls(miniTimeline([pedal('start') + quarter + pedal('start') + quarter + pedal('stop')])),
    ).toEqual(['0:64=127', '1:64=0', '1:64=127', '2:64=0'])
  })

  test('are also read from sound elements, with half-pedal values', () => {
    expect(controls(miniTimeline([`<sound damper-pedal="yes" soft-pedal="50"/>${note('C4', 1)}`]))).toEqual([
      '0:64=127',
      '0:67=64',
      '1:64=0',
      '1:67=0',
    ])
  })

  test('have the written state after a jump, and are up at the end', () => {
    expect(
      controls(miniTimeline([note('C4', 4), pedal('start') + note('C4', 4) + backward, note('C4', 4)])),
    ).toEqual(['4:64=127', '8:64=0', '12:64=127', '20:64=0'])
  })
})

describe('lyrics', () => {
  const lyric = (text: string, syllabic = 'single', number = 1) =>
    `<lyric number="${number}"><syllabic>${syllabic}</syllabic><text>${text}</text></lyric>`
  const sungLyrics = (...measures: string[]) => {
    const { parts, ticksPerQuarter } = miniTimeline(measures)
    return parts[0]?.lyrics.map(
      ({ tick, text, wordEnds }) => `${tick / ticksPerQuarter}:${text}${wordEnds ? '' : '-'}`,
    )
  }

  test('are syllables with their times', () => {
    expect(
      sungLyrics(
        note('C4', 1, lyric('Sei', 'begin')) +
          note('C4', 1, lyric('te', 'end')) +
          rest(1) +
          note('C4', 1, lyric('an')),
      ),
    ).toEqual(['0:Sei-', '1:te', '3:an'])
  })

  test('keep both syllables of an elision', () => {
    expect(
      sungLyrics(note('C4', 1, '<lyric><text>ma</text><elision>‿</elision><text>il</text></lyric>')),
    ).toEqual(['0:ma‿il'])
    expect(sungLyrics(note('C4', 1, '<lyric><text>ma</text><elision/><text>il</text></lyric>'))).toEqual([
      '0:ma il',
    ])
  })

  test('follow the verse of each pass, and repeat a refrain each time', () => {
    expect(
      sungLyrics(
        note('C4', 2, lyric('one') + lyric('two', 'single', 2)) + note('C4', 2, lyric('la')) + backward,
      ),
    ).toEqual(['0:one', '2:la', '4:two', '6:la'])
  })

  test('without text are ignored', () => {
    expect(sungLyrics(note('C4', 1, '<lyric><extend/></lyric>'))).toEqual([])
  })
})

describe('signatures', () => {
  const time = (...fractions: [string, number][]) =>
    `<attributes><time>${fractions.map(([beats, type]) => `<beats>${beats}</beats><beat-type>${type}</beat-type>`).join('')}</time></attributes>`
  const key = (fifths: number, more = '') =>
    `<attributes><key><fifths>${fifths}</fifths>${more}</key></attributes>`
  const meters = (...measures: string[]) =>
    miniTimeline(measures).meters.map(({ beats, beatType }) => `${beats}/${beatType}`)

  test('of time are summed if they are additive', () => {
    expect(meters(time(['3+2', 8]) + note('C4', 1))).toEqual(['5/8'])
    expect(meters(time(['3', 8], ['2', 4]) + note('C4', 1))).toEqual(['7/8'])
  })

  test('of time are omitted for senza misura', () => {
    expect(meters(`<attributes><time><senza-misura/></time></attributes>${note('C4', 1)}`)).toEqual([])
  })

  test('are repeated with a repeat', () => {
    expect(meters(time(['2', 4]) + note('C4', 2), time(['3', 4]) + note('C4', 3) + backward)).toEqual([
      '2/4',
      '3/4',
      '2/4',
      '3/4',
    ])
  })

  test('of key are at concert pitch', () => {
    const clarinet =
      '<attributes><transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose></attributes>'
    const { keys } = miniTimeline([
      clarinet + key(2) + note('C4', 4),
      key(-1, '<mode>minor</mode>') + note('C4', 4),
    ])
    expect(keys.map(({ fifths, minor }) => [fifths, minor])).toEqual([
      [0, false],
      [-3, true],
    ])
  })
})

test('markers are rehearsal marks and the marks of jumps, once for all parts', () => {
  const rehearsal = direction('<rehearsal>A</rehearsal>')
  const part = [rehearsal + note('C4', 4), direction('<words>D.C. al Fine</words>') + note('C4', 4)]
  const { markers, ticksPerQuarter } = miniTimeline(part, part)
  expect(markers.map(({ tick, text }) => `${tick / ticksPerQuarter}:${text}`)).toEqual([
    '0:A',
    '4:D.C. al Fine',
    '8:A',
    '12:D.C. al Fine',
  ])
})
