import { expect, test } from 'vitest'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { child, type Element } from './document.ts'
import { chordSymbolOf } from './chord-symbol.ts'

function textOf(content: string): string {
  const xml = `<score-partwise><part-list><score-part id="P1"><part-name/></score-part></part-list>
    <part id="P1"><measure number="1"><harmony>${content}</harmony></measure></part></score-partwise>`
  const part = child(readMusicXml(Buffer.from(xml)).root, 'part') as Element
  return chordSymbolOf(child(child(part, 'measure') as Element, 'harmony') as Element)
}

const root = (step: string, alter = 0) =>
  `<root><root-step>${step}</root-step><root-alter>${alter}</root-alter></root>`
const bass = (step: string, alter = 0) =>
  `<bass><bass-step>${step}</bass-step><bass-alter>${alter}</bass-alter></bass>`
const degree = (value: number, alter: number, type: string, attributes = '') =>
  `<degree ${attributes}><degree-value>${value}</degree-value><degree-alter>${alter}</degree-alter><degree-type>${type}</degree-type></degree>`

test.each([
  ['D7', `${root('D')}<kind>dominant</kind>`],
  ['Dmi7', `${root('D')}<kind text="mi7">minor-seventh</kind>`],
  ['C', `${root('C')}<kind text="">major</kind>`],
  ['C/E', `${root('C')}<kind>major</kind>${bass('E')}`],
  ['F♯m7♭5/B♭', `${root('F', 1)}<kind>half-diminished</kind>${bass('B', -1)}`],
  ['C♭♭', `${root('C', -2)}<kind>major</kind>`],
  ['A△7', `${root('A')}<kind use-symbols="yes">major-seventh</kind>`],
])('writes root, kind and bass of %s', (text, content) => {
  expect(textOf(content)).toBe(text)
})

test.each([
  ['C7(♭5,♯9)', `<kind text="7">dominant</kind>${degree(5, -1, 'alter')}${degree(9, 1, 'add')}`],
  ['Cmadd9', `<kind>minor</kind>${degree(9, 0, 'add')}`],
  ['C(add9)', `<kind parentheses-degrees="yes">major</kind>${degree(9, 0, 'add')}`],
  ['Cno3', `<kind>major</kind>${degree(3, 0, 'subtract')}`],
  ['C', `<kind>major</kind>${degree(3, 0, 'subtract', 'print-object="no"')}`],
  ['C7b5', `<kind text="7b5">dominant</kind>${degree(5, -1, 'alter')}`],
  ['C9(♯11)', `<kind text="9">dominant-ninth</kind>${degree(11, 1, 'add')}`],
])('writes the degrees of %s that its kind does not name', (text, content) => {
  expect(textOf(root('C') + content)).toBe(text)
})

test('writes the text that the file has for a step', () => {
  expect(textOf('<root><root-step text="H">B</root-step></root><kind>minor</kind>')).toBe('Hm')
  expect(textOf('<root><root-step text="">C</root-step></root><kind text="Tacet">other</kind>')).toBe('Tacet')
})

test('writes only the root of a kind that it does not know, whatever its name', () => {
  expect(textOf(`${root('C')}<kind>constructor</kind>`)).toBe('C')
  expect(textOf(`${root('C')}<kind use-symbols="yes">toString</kind>`)).toBe('C')
})

test('writes numerals and functions', () => {
  const numeral = '<numeral><numeral-root>6</numeral-root><numeral-alter>-1</numeral-alter></numeral>'
  expect(textOf(`${numeral}<kind text="">major</kind>`)).toBe('♭VI')
  expect(textOf('<function>V</function><kind text="7">dominant</kind>')).toBe('V7')
})

test('writes several chords of a place after each other, and a kind "none" without its root', () => {
  expect(textOf(`${root('C')}<kind>major</kind>${root('G')}<kind text="7">dominant</kind>`)).toBe('C G7')
  expect(textOf(`${root('C')}<kind>none</kind>`)).toBe('N.C.')
  expect(textOf(`${root('C')}<kind text="NC">none</kind>`)).toBe('NC')
  expect(textOf('')).toBe('')
})
