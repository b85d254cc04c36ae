import type { Element } from '../../model/document.ts'
import { kindSuffixes } from '../../model/chord-symbol.ts'
import { leaf, node } from '../../model/element.ts'
import type { Outcome } from '../operation.ts'
import { findPosition } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { plainText, replaceMarks } from './marks.ts'

/** Writes a chord symbol at a time of a staff, in the place of the one there. An empty one removes it. */
export interface SetChordSymbol {
  readonly type: 'setChordSymbol'
  readonly at: Position
  /** As written: `Am7`, `B♭/D`, `F#dim`, `N.C.`. */
  readonly text: string
}

/** @throws Refusal `noChordSymbol` if the text does not begin with a note */
export function setChordSymbol(session: Session, { at, text }: SetChordSymbol): Outcome {
  const found = findPosition(session, at)
  const plain = plainText(text)
  const staff = found.editor.stateAt(0).staves > 1 ? [leaf('staff', at.staff)] : []
  const element = plain === '' ? undefined : node('harmony', [...chordOf(plain), ...staff])
  replaceMarks(
    found,
    ({ element: one, onset }) => one.name === 'harmony' && onset === at.onset && staffOf(one) === at.staff,
    element,
  )
  return { notes: [], caret: at }
}

const staffOf = (harmony: Element): number =>
  Number(harmony.children.find(({ name }) => name === 'staff')?.text) || 1

/** Root, suffix, and bass. A slash in `6/9` is part of the suffix. */
const symbol = /^([A-Ga-g])([#♯b♭]*)(.*?)(?:\/([A-Ga-g])([#♯b♭]*))?$/u

/** Other ways to write a kind. */
const spellings: Readonly<Record<string, string>> = {
  M: 'major',
  maj: 'major',
  min: 'minor',
  mi: 'minor',
  '-': 'minor',
  aug: 'augmented',
  '°': 'diminished',
  o: 'diminished',
  '°7': 'diminished-seventh',
  o7: 'diminished-seventh',
  M7: 'major-seventh',
  Maj7: 'major-seventh',
  '△7': 'major-seventh',
  '△': 'major-seventh',
  min7: 'minor-seventh',
  mi7: 'minor-seventh',
  '-7': 'minor-seventh',
  ø: 'half-diminished',
  ø7: 'half-diminished',
  m7b5: 'half-diminished',
  mMaj7: 'major-minor',
  'm(M7)': 'major-minor',
  sus: 'suspended-fourth',
  aug7: 'augmented-seventh',
}

/** The children of a `harmony` that is printed as a text. */
function chordOf(text: string): Element[] {
  if (/^n\.?\s?c\.?$/iu.test(text))
    return [node('root', [leaf('root-step', 'C', { text: '' })]), leaf('kind', 'none', { text: 'N.C.' })]
  const [, root, alteration = '', suffix = '', bass, bassAlteration = ''] = symbol.exec(text) ?? []
  if (root === undefined) return refuse('noChordSymbol')
  const kind = kindOf(suffix)
  return [
    node('root', pitchOf('root', root, alteration)),
    leaf('kind', kind ?? 'other', { text: suffix }),
    ...(bass === undefined ? [] : [node('bass', pitchOf('bass', bass, bassAlteration))]),
  ]
}

function kindOf(suffix: string): string | undefined {
  if (Object.hasOwn(spellings, suffix)) return spellings[suffix]
  for (const [kind, written] of kindSuffixes)
    if (written === suffix || written === suffix.replaceAll('b', '♭')) return kind
  return undefined
}

function pitchOf(name: 'root' | 'bass', step: string, alteration: string): Element[] {
  const alter = [...alteration].reduce((sum, sign) => sum + (/[#♯]/u.test(sign) ? 1 : -1), 0)
  return [leaf(`${name}-step`, step.toUpperCase()), ...(alter === 0 ? [] : [leaf(`${name}-alter`, alter)])]
}
