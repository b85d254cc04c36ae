import { describe, expect, it } from 'vitest'
import { identifiedScore, placeIn, voiceText } from '../../../../src/music/testing/editing-score.ts'
import { measuresIn } from '../../../../src/music/editing/reading.ts'
import { commandsOfKeys } from './commands.ts'
import { createEditor } from './editor.ts'

const page = { togglePlaying() {}, save() {}, listCommands() {}, ask() {}, writeLyrics() {} }

const meter =
  '<attributes><divisions>4</divisions><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>'
const emptyMeasure = '<note><rest measure="yes"/><duration>16</duration><voice>1</voice></note>'

/** Presses keys in an empty score, and returns the notes of its two measures. */
function typed(keys: string): string {
  const document = identifiedScore([`${meter}${emptyMeasure}`, emptyMeasure])
  const editor = createEditor(document, placeIn(document, 0, 0))
  for (const key of keys.split(' ')) {
    const command = commandsOfKeys.get(key)
    if (!command) throw new Error(`no command has the key ${key}`)
    command.run(editor, page)
  }
  const { document: edited } = editor.state()
  return measuresIn(edited)
    .map((_, measure) => voiceText(edited, measure))
    .filter((text) => text !== 'R')
    .join(' | ')
}

describe('the commands', () => {
  it.each([
    ['write notes near the note before', 'C D G', 'C5:quarter, D5:quarter, G5:quarter, r:quarter'],
    ['choose lengths and dots', '4 C . D 6 E', 'C5:eighth, D5:eighth., E5:half, r:eighth.'],
    ['write chords and rests', 'C Shift+E Shift+G 0 E', 'C5+E5+G5:quarter, r:quarter, E5:quarter, r:quarter'],
    ['undo and redo', 'C D Ctrl+Z E Ctrl+Z Ctrl+Z Ctrl+Y', 'C5:quarter, r:quarter, r:half'],
    ['delete the note before', 'C D Backspace E', 'C5:quarter, E5:quarter, r:half'],
    ['delete a note with its ties', '6 C 7 D Backspace E', 'C5:half, E5~:half | E5:half, r:half'],
    [
      'move the note before by steps, semitones and octaves',
      'C ArrowUp D Alt+ArrowUp E Ctrl+ArrowDown',
      'D5:quarter, D#5:quarter, E4:quarter, r:quarter',
    ],
    ['write accidentals', 'F + B - F', 'F#4:quarter, Bb4:quarter, F#4:quarter, r:quarter'],
    [
      'tie what is typed',
      '6 C Shift+E T 5 D T',
      'C5~+E5~:half, C5+E5:half | D5~:quarter, D5:quarter, r:half',
    ],
    ['change a note that the user has gone to', 'C D ArrowLeft ArrowLeft 6', 'C5:half, r:half'],
    ['add measures at the end', '7 C D E F', 'C5:whole | D5:whole | E5:whole | F5:whole'],
    [
      'tie a note into a measure that they add',
      '7 C 6 D 5 E 6 F',
      'C5:whole | D5:half, E5:quarter, F5~:quarter | F5:quarter, r:quarter, r:half',
    ],
    [
      'write a triplet behind the end',
      '7 C D 6 Ctrl+3 E',
      'C5:whole | D5:whole | E5:quarter 3:2, r:quarter 3:2, r:quarter 3:2, r:half',
    ],
    [
      'copy and paste a passage, also behind the end',
      'C D E F ArrowLeft Shift+ArrowLeft Shift+ArrowLeft Ctrl+C End Ctrl+V',
      'C5:quarter, D5:quarter, E5:quarter, F5:quarter | D5:quarter, E5:quarter, F5:quarter, r:quarter',
    ],
    [
      'cut a passage, and delete one',
      'C D E F Home Shift+ArrowRight Ctrl+X ArrowRight Shift+ArrowRight Delete Home Ctrl+V',
      'C5:quarter, D5:quarter, r:half',
    ],
    [
      'change all notes of a passage',
      'C D E F Home Shift+ArrowRight ArrowUp ArrowUp',
      'E5:quarter, F5:quarter, E5:quarter, F5:quarter',
    ],
    ['delete the measures of a passage', '7 C D E Home Shift+ArrowRight Ctrl+Delete', 'E5:whole'],
    ['take a note back with its measure', '7 C D E Ctrl+Z Backspace', 'C5:whole | r:whole'],
    [
      'write a triplet, and go on behind it',
      'Ctrl+3 C D E 5 F',
      'C5:eighth 3:2, D5:eighth 3:2, E5:eighth 3:2, F5:quarter, r:half',
    ],
    [
      'divide a note that the user has gone to',
      '6 C ArrowLeft Ctrl+5 ArrowRight D',
      'C5:eighth 5:4, D5:eighth 5:4, r:eighth 5:4, r:eighth 5:4, r:eighth 5:4, r:half',
    ],
    ['add and delete measures', '7 C Ctrl+B D Home Ctrl+Delete Insert E', 'E5:whole | D5:whole'],
    ['delete a note that the user has gone to', 'C D ArrowLeft Delete', 'C5:quarter, r:quarter, r:half'],
  ])('%s', (_what, keys, expected) => {
    expect(typed(keys)).toBe(expected)
  })
})
