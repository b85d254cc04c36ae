import { expect, it } from 'vitest'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { changedDetails } from './changed-details.ts'

const score = {
  title: 'Étude',
  composer: 'Clara',
  description: 'For the left hand.\nSlowly.',
  tags: ['study', 'left'],
  license: 'cc-by',
} as unknown as ScoreDetails

function formWith(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  const shown = { ...score, tags: 'study, left', ...values }
  for (const [name, value] of Object.entries(shown)) form.set(name, String(value))
  return form
}

it('sends nothing that stayed as it was', () => {
  expect(changedDetails(formWith({}), score)).toEqual({})
  expect(changedDetails(formWith({ tags: '#study  #left', composer: ' Clara ' }), score)).toEqual({})
})

it('clears what was emptied, except for the title, which the server refuses', () => {
  expect(changedDetails(formWith({ composer: '', license: '', tags: '', title: ' ' }), score)).toEqual({
    composer: null,
    license: null,
    tags: [],
    title: '',
  })
})

it('reads tags with commas, semicolons, spaces and number signs, each once', () => {
  expect(changedDetails(formWith({ tags: 'waltz,piano; #waltz #Op28' }), score)).toEqual({
    tags: ['waltz', 'piano', 'Op28'],
  })
})

it('sends the choices', () => {
  expect(changedDetails(formWith({ creationType: 'arrangement', license: 'cc0' }), score)).toEqual({
    creationType: 'arrangement',
    license: 'cc0',
  })
})
