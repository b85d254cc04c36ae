import { expect, test } from 'vitest'
import { direction, miniTimeline, note, notesOf } from '../testing/mini-score.ts'

const accord = (string: number, step: string, octave: number) =>
  `<accord string="${string}"><tuning-step>${step}</tuning-step><tuning-octave>${octave}</tuning-octave></accord>`
const onString = (string: number) =>
  `<notations><technical><string>${string}</string></technical></notations>`
const retuned = direction(`<scordatura>${accord(4, 'A', 3)}${accord(1, 'D', 5)}</scordatura>`)
const sounding = (name: string, content: string) => notesOf(miniTimeline({ measures: [content], name }))

test('a violinist reads a retuned string as usual, so its notes sound higher or lower', () => {
  const content =
    retuned + note('G3', 1, onString(4)) + note('F5', 1, onString(1)) + note('A4', 1, onString(2))
  expect(sounding('Violin', content)).toEqual(['57@0-1', '75@1-2', '69@2-3'])
})

test('a note that names no string, and one before the scordatura, sounds as written', () => {
  expect(sounding('Violin', note('G3', 1, onString(4)) + retuned + note('G3', 1))).toEqual([
    '55@0-1',
    '55@1-2',
  ])
})

test('the usual tuning ends it', () => {
  const usual = direction(`<scordatura>${accord(4, 'G', 3)}</scordatura>`)
  expect(sounding('Violin', retuned + usual + note('G3', 1, onString(4)))).toEqual(['55@0-1'])
})

test('fretted instruments are written as they sound', () => {
  const lowD = direction(`<scordatura>${accord(6, 'D', 2)}</scordatura>`)
  expect(sounding('Lute', lowD + note('D3', 1, onString(6)))).toEqual(['50@0-1'])
})
