import { expect, test } from 'vitest'
import { child, childText, type Element, measuresOf, partsOf } from '../../music/model/document.ts'
import { readMusicXml } from '../../music/formats/musicxml/read.ts'
import { type PageSetup, withPageSetup } from './page-setup.ts'

const margins =
  '<page-margins type="both"><left-margin>100</left-margin><right-margin>5000</right-margin><top-margin>80</top-margin><bottom-margin>80</bottom-margin></page-margins>'
/** A page of 200 mm × 300 mm with staves of 8 mm: a tenth is 0.2 mm. */
const defaults = (inside = '') =>
  `<defaults><scaling><millimeters>8</millimeters><tenths>40</tenths></scaling>${inside}<system-layout><system-distance>90</system-distance></system-layout></defaults>`
const layout = `<page-layout><page-height>1500</page-height><page-width>1000</page-width>${margins}</page-layout>`

const score = (before: string) =>
  readMusicXml(
    Buffer.from(
      `<score-partwise>${before}<credit><credit-words default-x="500" default-y="1400">T</credit-words></credit><credit><credit-words default-x="10" default-y="50">C</credit-words></credit>
      <part-list><score-part id="P1"><part-name>Harp</part-name></score-part></part-list><part id="P1"><measure number="1"/>
      <measure number="2"><print new-page="yes" page-number="3"><system-layout/><part-name-display/></print></measure></part></score-partwise>`,
    ),
  )

function pageOf(before: string, setup: PageSetup) {
  const { root } = withPageSetup(score(before), setup)
  const all = child(root, 'defaults') as Element
  const page = child(all, 'page-layout') as Element
  const margin = child(page, 'page-margins') as Element
  const tenth = Number(childText(child(all, 'scaling') as Element, 'millimeters')) / 40
  const millimeters = (element: Element, name: string) =>
    Math.round(Number(childText(element, name)) * tenth * 10) / 10
  return {
    staff: tenth * 40,
    size: [millimeters(page, 'page-width'), millimeters(page, 'page-height')],
    margins: ['left', 'right', 'top'].map((side) => millimeters(margin, `${side}-margin`)),
    credits: root.children.flatMap(({ name, children: [words] }) => {
      const { 'default-x': x, 'default-y': y } = words?.attributes ?? {}
      return name === 'credit' ? [[x, y].map((value) => Math.round(Number(value) * tenth))] : []
    }),
    names: all.children.map(({ name }) => name),
  }
}

test.each<[string, string, PageSetup, object]>([
  [
    'other paper',
    defaults(layout),
    { paper: 'letter' },
    {
      staff: 8,
      size: [215.9, 279.4],
      margins: [20, 15, 16],
      credits: [
        [108, 259],
        [2, 10],
      ],
    },
  ],
  [
    'other staves on its own paper',
    defaults(layout),
    { staffSize: 5 },
    {
      staff: 5,
      size: [200, 300],
      margins: [20, 15, 16],
      credits: [
        [100, 280],
        [2, 10],
      ],
    },
  ],
  [
    'both',
    defaults(layout),
    { paper: 'a4', staffSize: 5.5 },
    {
      staff: 5.5,
      size: [210, 297],
      margins: [20, 15, 16],
      credits: [
        [105, 277],
        [2, 10],
      ],
    },
  ],
  [
    'the paper of the installation, if the score has none',
    defaults(),
    { defaultPaper: 'letter' },
    { staff: 8, size: [215.9, 279.4], margins: [15, 15, 15] },
  ],
  [
    'other staves, if the file has no sizes',
    '',
    { staffSize: 4, defaultPaper: 'letter' },
    { staff: 4, size: [215.9, 279.4] },
  ],
])('sets a score on %s', (_, before, setup, page) => {
  expect(pageOf(before, setup)).toMatchObject(page)
  const { names } = pageOf(before, setup)
  expect(names.slice(0, 2)).toEqual(['scaling', 'page-layout'])
})

test('keeps a landscape score in landscape', () => {
  const wide = layout.replace('1500', '800')
  expect(pageOf(defaults(wide), { paper: 'a4' }).size).toEqual([297, 210])
})

test('leaves out the breaks and distances of the old lines, and nothing else of a print', () => {
  const [part] = partsOf(withPageSetup(score(defaults(layout)), { paper: 'a4' }))
  const print = child(measuresOf(part as Element)[1] as Element, 'print')
  expect({ ...print?.attributes }).toEqual({ 'page-number': '3' })
  expect(print?.children.map(({ name }) => name)).toEqual(['part-name-display'])
})

test.each<[string, PageSetup]>([
  [defaults(layout), {}],
  [defaults(layout), { defaultPaper: 'letter' }],
  ['', { defaultPaper: 'a4' }],
])('does not change a score that has its own page, or the paper of the engine', (before, setup) => {
  const document = score(before)
  expect(withPageSetup(document, setup)).toBe(document)
})
