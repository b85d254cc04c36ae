import { expect, test } from 'vitest'
import { leaf, node } from '../../model/element.ts'
import { recognizeInstrument } from '../../model/instruments/recognition.ts'
import { transpositionOf } from './transposition.ts'

const transposition = (name: string) => {
  const found = transpositionOf(recognizeInstrument(node('score-part', [leaf('part-name', name)])), name)
  return found && [found.chromatic, found.diatonic, ...(found.octaveChange ? [found.octaveChange] : [])]
}

test.each([
  ['Trompete in B', [-2, -1]],
  ['Klarinette in B', [-2, -1]],
  ['2. Klarinette in A', [-3, -2]],
  ['Trumpet in C', undefined],
  ['Trumpet in E', [4, 2]],
  ['E Trumpet', [4, 2]],
  ['Trumpet in G', [-5, -3]],
  ['Clarinet in G', [-5, -3]],
  ['Bass Clarinet', [-2, -1, -1]],
  ['Bass Clarinet in A', [-3, -2, -1]],
  ['Piccolo Trumpet in B♭', [10, 6]],
  ['Horn in F', [-7, -4]],
  ['Horn in As', [-4, -2]],
  ['Horn in H', [-1, -1, -1]],
  ['Horn in H alto', [-1, -1]],
  ['Horn in D♭', [-11, -6]],
  ['Horn in B♭', [-2, -1, -1]],
  ['Horn in B♭ alto', [-2, -1]],
  ['Horn in B♭ basso', [-2, -1, -1]],
  ['Horn in hoch B', [-2, -1]],
  ['Horn in C', [0, 0, -1]],
  ['Horn in C alto', undefined],
  ['Horn in A basso', [-3, -2, -1]],
  ['Alto Saxophone', [-9, -5]],
  ['Flute', undefined],
])('the key in the name of a part is read as German and English write it: %s', (name, expected) => {
  expect(transposition(name)).toEqual(expected)
})
