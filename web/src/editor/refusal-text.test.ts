import { expect, it } from 'vitest'
import en from '../../../locales/en.json' with { type: 'json' }
import { refusalReasons } from '../../../src/music/editing/refusal.ts'
import { refusalText } from './refusal-text.ts'

it('each reason of the operations has a text, and each text a reason', () => {
  const written = Object.keys(en).filter((key) => key.startsWith('editing.refusal.'))
  expect(refusalReasons.map(refusalText).sort()).toEqual(written.sort())
})
