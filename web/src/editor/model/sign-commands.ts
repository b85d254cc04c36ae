import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { nextPosition } from '../../../../src/music/editing/reading.ts'
import { creditsOf } from '../../../../src/music/model/credits.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import type { Command, PageActions } from './commands.ts'
import type { Editor } from './editor.ts'
import { passageOf } from './passage.ts'
import { applyHere, placeOf } from './place.ts'
import type { Question, QuestionOption } from './question.ts'

const dynamics = ['ppp', 'pp', 'p', 'mp', 'mf', 'f', 'ff', 'fff', 'sf', 'sfz', 'fp'] as const

/** Commands for signs and texts above and below the notes, and for the whole score. */
export const signCommands: readonly Command[] = [
  { id: 'dynamic', name: 'editor.dynamic', keys: ['Ctrl+D'], group: 'sign', run: askDynamic },
  {
    id: 'crescendo',
    name: 'editor.crescendo',
    keys: ['<'],
    group: 'sign',
    run: (editor) => setHairpin(editor, 'crescendo'),
  },
  {
    id: 'diminuendo',
    name: 'editor.diminuendo',
    keys: ['>'],
    group: 'sign',
    run: (editor) => setHairpin(editor, 'diminuendo'),
  },
  {
    id: 'noHairpin',
    name: 'editor.noHairpin',
    keys: [],
    group: 'sign',
    run: (editor) => setHairpin(editor, null),
  },
  textCommand('chordSymbol', 'editor.chordSymbol', ['Shift+Q'], (at, text) => ({
    type: 'setChordSymbol',
    at,
    text,
  })),
  textCommand('text', 'editor.text', ['Shift+X'], (at, text) => ({ type: 'setText', at, text })),
  textCommand('rehearsalMark', 'editor.rehearsalMark', ['Ctrl+M'], ({ measure }, text) => ({
    type: 'setRehearsalMark',
    measure,
    text,
  })),
  { id: 'tempo', name: 'editor.tempo', keys: ['Shift+T'], group: 'sign', run: askTempo },
  { id: 'credits', name: 'editor.credits', keys: [], group: 'score', run: askCredits },
  { id: 'transpose', name: 'editor.transpose', keys: [], group: 'score', run: askTransposition },
]

/** A command that asks for a text at a place. */
function textCommand(
  id: string,
  name: TextKey,
  keys: readonly string[],
  operationOf: (at: Position, text: string) => Operation,
): Command {
  return {
    id,
    name,
    keys,
    group: 'sign',
    run(editor, page) {
      const at = placeOf(editor.state())
      page.ask({
        title: name,
        fields: [{ name: 'text', label: name, hint: 'editor.emptyRemoves' }],
        answer: ({ text = '' }) => [operationOf(at, text)],
      })
    },
  }
}

function askDynamic(editor: Editor, page: PageActions): void {
  const at = placeOf(editor.state())
  page.ask({
    title: 'editor.dynamic',
    fields: [
      {
        name: 'dynamic',
        label: 'editor.dynamic',
        options: [
          ...dynamics.map((value): QuestionOption => ({ value, name: () => value })),
          { value: 'none', name: (text) => text('editor.noDynamic') },
        ],
      },
    ],
    answer: ({ dynamic = 'none' }) => [
      { type: 'setDynamic', at, dynamic: dynamic === 'none' ? null : dynamic },
    ],
  })
}

/** To the next note, or over the notes that are chosen. */
function setHairpin(editor: Editor, kind: 'crescendo' | 'diminuendo' | null): void {
  const state = editor.state()
  const { from, to: last } = passageOf(state)
  const to = state.anchor ? last : (nextPosition(state.document, from) ?? from)
  applyHere(editor, [{ type: 'setHairpin', from, to, kind }])
}

function askTempo(editor: Editor, page: PageActions): void {
  const at = placeOf(editor.state())
  page.ask({
    title: 'editor.tempo',
    fields: [
      { name: 'text', label: 'editor.tempoText', hint: 'editor.emptyRemoves' },
      { name: 'perMinute', label: 'editor.perMinute' },
    ],
    answer: ({ text = '', perMinute = '' }) => [
      { type: 'setTempo', at, text, ...(perMinute.trim() && { perMinute: Number(perMinute) }) },
    ],
  })
}

const creditFields = [
  ['title', 'editor.title'],
  ['subtitle', 'details.subtitle'],
  ['composer', 'scorePage.composer'],
  ['lyricist', 'scorePage.lyricist'],
  ['arranger', 'scorePage.arranger'],
] as const

function askCredits(editor: Editor, page: PageActions): void {
  const before = creditsOf(editor.state().document)
  page.ask({
    title: 'editor.credits',
    fields: creditFields.map(([name, label]) => ({ name, label, value: before[name] ?? '' })),
    answer(answers) {
      const changed = creditFields.flatMap(([name]) => {
        const text = answers[name]?.trim() ?? ''
        return text === (before[name] ?? '') ? [] : [[name, text || null]]
      })
      return [{ type: 'setCredits', ...Object.fromEntries(changed) }]
    },
  })
}

function askTransposition(_editor: Editor, page: PageActions): void {
  const intervals = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const
  const named = (direction: 'up' | 'down'): QuestionOption[] =>
    intervals.map((semitones) => ({
      value: String(direction === 'up' ? semitones : -semitones),
      name: (text) => text(`view.${direction}`, { interval: text(`interval.${semitones}`) }),
    }))
  const question: Question = {
    title: 'editor.transpose',
    fields: [{ name: 'semitones', label: 'view.interval', options: [...named('up'), ...named('down')] }],
    answer: ({ semitones }) => [{ type: 'transposeScore', semitones: Number(semitones) }],
  }
  page.ask(question)
}
