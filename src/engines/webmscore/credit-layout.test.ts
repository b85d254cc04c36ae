import { afterAll, expect, test } from 'vitest'
import { childrenNamed, type ScoreDocument } from '../../music/model/document.ts'
import { readMusicXml } from '../../music/formats/musicxml/read.ts'
import { createNotation } from '../notation.ts'
import { withFittingCredits } from './credit-layout.ts'

const notation = createNotation({ processes: 1 })
afterAll(() => notation.close())
const waiters = { callers: ['test'] }

interface Credit {
  readonly text: string
  readonly y: number
  readonly size?: number
  readonly side?: 'left' | 'center' | 'right'
}

/** A score on an A4 page of 1,697 by 1,200 tenths, with credits on it. */
function fileWith(...credits: Credit[]): Buffer {
  const at = { left: 80, center: 600, right: 1120 }
  const elements = credits.map(
    ({ text, y, size = 12, side = 'center' }) =>
      `<credit page="1"><credit-words default-x="${at[side]}" default-y="${y}" font-size="${size}" justify="${side}" valign="top">${text}</credit-words></credit>`,
  )
  return Buffer.from(
    `<score-partwise version="4.0"><defaults><scaling><millimeters>7</millimeters><tenths>40</tenths></scaling>
      <page-layout><page-height>1697</page-height><page-width>1200</page-width></page-layout></defaults>${elements.join('')}
      <part-list><score-part id="P1"><part-name>Voice</part-name></score-part></part-list>
      <part id="P1"><measure number="1"><note><rest measure="yes"/><duration>4</duration></note></measure></part></score-partwise>`,
  )
}

/** The height and font size of each credit. */
const placesIn = ({ root }: ScoreDocument) =>
  childrenNamed(root, 'credit')
    .flatMap((credit) => childrenNamed(credit, 'credit-words'))
    .map(({ attributes }) => [Number(attributes['default-y']), Number(attributes['font-size'])])
const fitted = (...credits: Credit[]) => placesIn(withFittingCredits(readMusicXml(fileWith(...credits))))

const title = { text: 'The title', y: 1600, size: 22 }

test('credits in the room stay where they are', () => {
  const subtitle = { text: 'A subtitle', y: 1550 }
  const composer = { text: 'Composer', y: 1520, side: 'right' } as const
  expect(fitted(title, subtitle, composer)).toEqual([
    [1600, 22],
    [1550, 12],
    [1520, 12],
  ])
})

test('lower credits on both sides move up to one height', () => {
  const [poet, composer] = (['left', 'right'] as const).map((side) => ({ text: 'A name', y: 1400, side }))
  expect(poet && composer && fitted(title, poet, composer).slice(1)).toEqual([
    [1510, 12],
    [1510, 12],
  ])
})

test('credits of one side move up in their order', () => {
  const [composer, arranger] = [1450, 1400].map((y) => ({ text: 'A name', y, side: 'right' as const }))
  const [, [higher = 0] = [], [lower = 0] = []] =
    composer && arranger ? fitted(title, composer, arranger) : []
  expect(lower).toBe(1510)
  expect(higher - lower).toBeGreaterThan(20)
})

test('a header that is too high becomes smaller', () => {
  const names = [1550, 1500, 1450, 1400, 1350].map((y) => ({ text: 'A name', y }))
  const places = fitted(title, ...names)
  const heights = places.map(([y = 0]) => y)
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(100)
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  for (const [index, [, size = 0]] of places.entries()) expect(size).toBeLessThan(index === 0 ? 22 : 12)
})

test('further words of a credit that becomes smaller keep the size of the first ones', () => {
  const text = 'The title&#10;</credit-words><credit-words default-y="1600">in two lines&#10;'
  const [first, second] = fitted({ ...title, text, size: 30 }, { text: 'A subtitle', y: 1450 })
  expect(first?.[1]).toBeLessThan(30)
  expect(second?.[1]).toBeNaN()
})

/** The left, top, right and lower edge of each text on a page. The engine draws texts as outlines. */
function textsIn(svg: string): number[][] {
  return [...svg.matchAll(/<path class="Text"[^>]* d="([^"]*)"/g)].map(([, outline = '']) => {
    const points = [...outline.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)]
    const [xs, ys] = [1, 2].map((index) => points.map((point) => Number(point[index])))
    return [
      Math.min(...(xs ?? [])),
      Math.min(...(ys ?? [])),
      Math.max(...(xs ?? [])),
      Math.max(...(ys ?? [])),
    ]
  })
}

test.each([
  [
    'under a dedication',
    [
      { text: 'Dedicated to Nora', y: 1600 },
      { ...title, y: 1500, size: 28 },
      { text: 'A subtitle', y: 1440 },
      { text: 'Composer', y: 1350, side: 'right' },
    ],
  ],
  [
    'of two lines',
    [
      { ...title, text: 'The title&#10;in two lines' },
      { text: 'A subtitle', y: 1490 },
    ],
  ],
  ['and credits at one place', [title, { text: 'A name', y: 1400 }, { text: 'Another one', y: 1400 }]],
] as const)('a title %s does not overlap with other credits on the page', async (_, credits) => {
  const { json } = await notation.read({ bytes: fileWith(...credits) }, waiters)
  const svg = Buffer.from(await notation.write({ json }, 'svg', waiters)).toString()
  const texts = textsIn(svg)
  expect(texts).toHaveLength(credits.flatMap(({ text }) => text.split('&#10;')).length)
  const overlaps = texts.flatMap((one, index) =>
    texts.slice(index + 1).filter((other) => {
      const [width, height] = [0, 1].map(
        (axis) =>
          Math.min(one[axis + 2] ?? 0, other[axis + 2] ?? 0) - Math.max(one[axis] ?? 0, other[axis] ?? 0),
      )
      return (width ?? 0) > 0 && (height ?? 0) > 0
    }),
  )
  expect(overlaps).toEqual([])
})
