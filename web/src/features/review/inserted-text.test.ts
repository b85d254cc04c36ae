import { expect, it } from 'vitest'
import { inserted } from './inserted-text.ts'

it.each([
  ['|', 'Well done.|'],
  ['Ann,|', 'Ann, Well done.|'],
  ['Ann, |', 'Ann, Well done.|'],
  ['Ann\n|', 'Ann\nWell done.|'],
  ['|Ann', 'Well done.| Ann'],
  ['a |b| c', 'a Well done.| c'],
  ['(|)', '( Well done.|)'],
])('inserts at the caret of %j', (before, expected) => {
  const [head = '', ...rest] = before.split('|')
  const tail = rest.at(-1) ?? ''
  const value = before.replaceAll('|', '')
  const result = inserted({ value, start: head.length, end: value.length - tail.length }, 'Well done.')
  expect(`${result.value.slice(0, result.caret)}|${result.value.slice(result.caret)}`).toBe(expected)
})
