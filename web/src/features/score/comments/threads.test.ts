import { expect, it } from 'vitest'
import type { ScoreComment } from '../../../../../src/contract/score-comments.ts'
import { markedText, piecesOf, readersIn, threadsOf, typedText } from './threads.ts'

const ann = { id: 'a'.repeat(24), username: 'ann' }
const anna = { id: 'b'.repeat(24), username: 'anna' }

const comment = (fields: Partial<ScoreComment>): ScoreComment => ({
  id: 'c',
  type: 'document',
  user: ann.id,
  score: 's',
  date: '2026-01-01T00:00:00.000Z',
  comment: '',
  rawComment: '',
  ...fields,
})

it('puts replies below the comment that they answer', () => {
  const listed = [comment({ id: '1' }), comment({ id: '2' }), comment({ id: '3', replyTo: '1' })]
  const ids = threadsOf(listed).map(({ first, replies }) => [first.id, ...replies.map(({ id }) => id)])
  expect(ids).toEqual([['1', '3'], ['2']])
})

it('marks a mention by its whole name only', () => {
  const typed = '@anna and @ann, not @annabel'
  const marked = markedText(typed, [ann, anna])
  expect(marked).toBe(`@[${anna.id}:anna] and @[${ann.id}:ann], not @annabel`)
  expect([typedText(marked), readersIn(marked)]).toEqual([typed, [anna, ann]])
})

it('shows mentions that the server accepted, and the others as text', () => {
  const rawComment = `Look, @[${ann.id}:ann] and @[${anna.id}:anna]!`
  const pieces = piecesOf(comment({ comment: 'Look', rawComment, mentions: [ann.id] }))
  expect(pieces).toEqual([
    { text: 'Look, ' },
    { text: '@ann', user: ann.id },
    { text: ' and ' },
    { text: '@anna' },
    { text: '!' },
  ])
})
