import { measureIn } from '../../../../src/music/editing/reading.ts'
import { ticksOfValue, valueOfTicks } from '../../../../src/music/editing/values.ts'
import type { Command, PageActions } from './commands.ts'
import { type Editor, idsAt, selectedEvent } from './editor.ts'
import { measuresOfPassage } from './passage.ts'
import { applyHere, applyTyped, placeOf } from './place.ts'
import { option, type QuestionOption } from './question.ts'

/** The notes of each tuplet, and in the time of how many. */
const tuplets = [
  [3, 2],
  [2, 3],
  [4, 3],
  [5, 4],
  [6, 4],
  [7, 4],
  [8, 6],
  [9, 8],
] as const

/** Commands for tuplets and measures, and for what stands at their ends. */
export const measureCommands: readonly Command[] = [
  ...tuplets.map(
    ([actual, normal]): Command => ({
      id: `tuplet${actual}`,
      name: actual === 3 ? 'editor.triplet' : 'editor.tuplet',
      value: `${actual}:${normal}`,
      keys: [`Ctrl+${actual}`],
      group: 'value',
      run: (editor) => makeTuplet(editor, actual, normal),
    }),
  ),
  {
    id: 'removeTuplet',
    name: 'editor.removeTuplet',
    keys: [],
    group: 'value',
    run: (editor) => applyHere(editor, [{ type: 'removeTuplet', at: placeOf(editor.state()) }]),
  },
  {
    id: 'addMeasure',
    name: 'editor.addMeasure',
    keys: ['Ctrl+B'],
    group: 'measure',
    run: (editor) =>
      applyHere(editor, [{ type: 'insertMeasures', before: null, uuids: [crypto.randomUUID()] }]),
  },
  {
    id: 'insertMeasure',
    name: 'editor.insertMeasure',
    keys: ['Insert'],
    group: 'measure',
    run(editor) {
      const state = editor.state()
      const uuid = crypto.randomUUID()
      const caret = { ...state.caret, measure: uuid, onset: 0 }
      editor.apply(
        [{ type: 'insertMeasures', before: placeOf(state).measure, uuids: [uuid] }],
        (_notes, _caret, document) => ({ caret, selected: idsAt(document, caret), isEntering: false }),
      )
    },
  },
  {
    id: 'deleteMeasures',
    name: 'editor.deleteMeasures',
    keys: ['Ctrl+Delete'],
    group: 'measure',
    run: (editor) =>
      applyHere(editor, [{ type: 'deleteMeasures', measures: measuresOfPassage(editor.state()) }]),
  },
  { id: 'key', name: 'editor.key', keys: ['Shift+K'], group: 'measure', run: askKey },
  { id: 'time', name: 'editor.time', keys: ['Shift+M'], group: 'measure', run: askTime },
  { id: 'clef', name: 'editor.clef', keys: [], group: 'measure', run: askClef },
  { id: 'barline', name: 'editor.barline', keys: ['Shift+R'], group: 'measure', run: askBarline },
  { id: 'ending', name: 'editor.ending', keys: [], group: 'measure', run: askEnding },
]

/** Divides a note that was chosen, or the time of the chosen value, and goes to the first note of the tuplet. */
function makeTuplet(editor: Editor, actual: number, normal: number): void {
  const state = editor.state()
  const event = selectedEvent(state)
  const isOfNote = !state.isEntering && event !== undefined && !event.isRest
  const ticks = isOfNote ? event.ticks : ticksOfValue(state.value)
  const value = valueOfTicks(ticks / normal) ?? state.value
  const total = isOfNote ? {} : { total: state.value }
  applyTyped(
    editor,
    (at) => [{ type: 'makeTuplet', at, actual, normal, ...total }],
    (at) => (_notes, _caret, document) => ({
      caret: at,
      selected: idsAt(document, at),
      value,
      isEntering: true,
    }),
  )
}

function askKey(editor: Editor, page: PageActions): void {
  const fifths = Array.from({ length: 15 }, (_, index) => index - 7)
  page.ask({
    title: 'editor.key',
    fields: [
      {
        name: 'key',
        label: 'editor.key',
        options: fifths.map(
          (number): QuestionOption => ({
            value: String(number),
            name: (text) => text(`musicKey.${number}` as 'musicKey.0'),
          }),
        ),
      },
    ],
    answer: ({ key }) => [{ type: 'setKey', measure: placeOf(editor.state()).measure, fifths: Number(key) }],
  })
}

function askTime(editor: Editor, page: PageActions): void {
  const { document } = editor.state()
  const { part, measure } = placeOf(editor.state())
  const time = measureIn(document, part, measure)?.time
  page.ask({
    title: 'editor.time',
    fields: [{ name: 'time', label: 'editor.time', value: time ? `${time.beats}/${time.beatType}` : '4/4' }],
    answer({ time: written = '' }) {
      const [beats = 0, beatType = 0] = written.split('/').map(Number)
      return [{ type: 'setTime', measure, beats, beatType }]
    },
  })
}

const clefs = {
  treble: { sign: 'G', line: 2 },
  bass: { sign: 'F', line: 4 },
  alto: { sign: 'C', line: 3 },
  tenor: { sign: 'C', line: 4 },
  trebleLow: { sign: 'G', line: 2, octaveChange: -1 },
  percussion: { sign: 'percussion' },
} as const
const clefNames = ['treble', 'bass', 'alto', 'tenor', 'trebleLow', 'percussion'] as const

function askClef(editor: Editor, page: PageActions): void {
  const at = placeOf(editor.state())
  page.ask({
    title: 'editor.clef',
    fields: [
      {
        name: 'clef',
        label: 'editor.clef',
        options: clefNames.map((name) => option(name, `editor.clef.${name}`)),
      },
    ],
    answer({ clef }) {
      const name = clefNames.find((one) => one === clef) ?? 'treble'
      return [{ type: 'setClef', at, clef: clefs[name] }]
    },
  })
}

const barlines = ['regular', 'light-light', 'light-heavy', 'dashed', 'dotted', 'none'] as const

function askBarline(editor: Editor, page: PageActions): void {
  const state = editor.state()
  const { measure } = placeOf(state)
  page.ask({
    title: 'editor.barline',
    fields: [
      {
        name: 'barline',
        label: 'editor.barline',
        options: [
          option('repeatStart', 'editor.repeatStart'),
          option('repeatEnd', 'editor.repeatEnd'),
          option('noRepeat', 'editor.noRepeat'),
          ...barlines.map((style) => option(style, `editor.barline.${style}`)),
        ],
      },
    ],
    answer({ barline }) {
      const style = barlines.find((one) => one === barline)
      if (style) return [{ type: 'setBarline', measure, style }]
      const isRepeat = barline !== 'noRepeat'
      const sides = (['start', 'end'] as const).filter((side) =>
        isRepeat ? barline === (side === 'start' ? 'repeatStart' : 'repeatEnd') : true,
      )
      return sides.map((side) => ({ type: 'setRepeat', measure, side, isRepeat }))
    },
  })
}

function askEnding(editor: Editor, page: PageActions): void {
  const measures = measuresOfPassage(editor.state())
  page.ask({
    title: 'editor.ending',
    fields: [{ name: 'numbers', label: 'editor.endingNumbers', hint: 'editor.emptyRemoves', value: '1' }],
    answer: ({ numbers = '' }) => [{ type: 'setEnding', measures, numbers: numbers.trim() || null }],
  })
}
