import { expect, it } from 'vitest'
import type { MediaAttachment } from '../../../../src/contract/attachments.ts'
import { creationsOf, draftsOf, isWebAddress, usesIn } from './attachments.ts'

const attachments: MediaAttachment[] = [
  {
    type: 'flat',
    score: 'a',
    title: 'Canon',
    sharingMode: 'copy',
    lockScoreTemplate: true,
    teacherOnly: false,
  },
  {
    type: 'flat',
    score: 'b',
    title: 'Solution',
    sharingMode: 'read',
    lockScoreTemplate: false,
    teacherOnly: true,
  },
  { type: 'link', url: 'https://example.com/', title: 'A page', html: '<b>A page</b>', teacherOnly: false },
]

it('attachments keep on their way through the form what the form does not show', () => {
  expect(creationsOf(draftsOf({ attachments }), 'scoreTemplate')).toEqual([
    { type: 'flat', score: 'a', sharingMode: 'copy', lockScoreTemplate: true, teacherOnly: false },
    { type: 'flat', score: 'b', sharingMode: 'read', lockScoreTemplate: false, teacherOnly: true },
    { type: 'link', url: 'https://example.com/', teacherOnly: false },
  ])
})

it.each([
  ['none', 'read'],
  ['sharedWriting', 'write'],
  ['performance', 'performance'],
] as const)('a score of a template is used as usual after the type becomes %s', (type, mode) => {
  expect(creationsOf(draftsOf({ attachments }), type).map(({ sharingMode }) => sharingMode)).toEqual([
    mode,
    'read',
    undefined,
  ])
  expect(usesIn(type)[0]).toBe(mode)
})

it.each([
  ['https://example.com/a?b=c', true],
  ['http://example.com', true],
  ['example.com', false],
  ['javascript:alert(1)', false],
  ['https://user:secret@example.com/', false],
])('%s can be attached: %s', (value, expected) => {
  expect(isWebAddress(value)).toBe(expected)
})
