import { child, childText, type Element, type ScoreDocument } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { type MidiFile, readMidiFile } from './midi-file.ts'
import { withTempos } from './tempos.ts'
import { encodeUnisons, type Unisons, withUnisons } from './unisons.ts'

/** The parts of a MIDI file that the notation engine would lose. */
export interface MidiRemainder extends Pick<MidiFile, 'title' | 'copyright' | 'tempos'> {
  /** The meaning of the velocities in the engine's file. Empty if they are ordinary velocities. */
  unisons: Unisons
}

/** Checks a MIDI file and makes the file that the engine gets. Throws INVALID_MIDI. */
export function prepareMidi(bytes: Uint8Array): { midi: Uint8Array; remainder: MidiRemainder } {
  const file = readMidiFile(bytes)
  const { midi, unisons } = encodeUnisons(file)
  return { midi, remainder: { unisons, title: file.title, copyright: file.copyright, tempos: file.tempos } }
}

/**
 * Removes from the engine's MusicXML the layout that the engine has added, and characters of MIDI texts that
 * XML does not allow. Works on the text, because the layout is a third of it and could make it too large to
 * be read.
 */
export function withoutLayout(xml: string): string {
  return xml
    .replace(/ (?:default-[xy]|relative-[xy]|width)="[^"]*"/g, '')
    .replace(/<print>[\s\S]*?<\/print>/g, '')
    .replace(/<defaults>[\s\S]*?<\/defaults>/, '')
    .replace(/\n\s+/g, '\n')
    .replace(/[\uFFFE\uFFFF]/g, '')
}

/** Adds to the engine's document what the engine has left out. */
export function completeImport(
  { root }: ScoreDocument,
  { unisons, title, copyright, tempos }: MidiRemainder,
): ScoreDocument {
  const [first] = root.children.filter(({ name }) => name === 'part')
  const children = root.children.map((element) => {
    switch (element.name) {
      case 'identification':
        return copyright
          ? { ...element, children: [leaf('rights', copyright), ...element.children] }
          : element
      case 'part-list':
        return withNamesOfTracks(element)
      case 'part':
        return withUnisons(element === first ? withTempos(element, tempos) : element, unisons)
      default:
        return element
    }
  })
  const work = title ? [node('work', [leaf('work-title', title)])] : []
  return { root: { ...root, children: [...work, ...children] } }
}

/** The engine writes the name of the instrument before that of the track: "Violins (section), Violin 1". */
function withNamesOfTracks(partList: Element): Element {
  const renamePart = (scorePart: Element): Element => {
    const instrument = childText(child(scorePart, 'score-instrument') ?? scorePart, 'instrument-name')
    const name = childText(scorePart, 'part-name') ?? ''
    if (!instrument || !name.startsWith(`${instrument}, `)) return scorePart
    const own = leaf('part-name', name.slice(instrument.length + 2))
    return { ...scorePart, children: scorePart.children.map((e) => (e.name === 'part-name' ? own : e)) }
  }
  return {
    ...partList,
    children: partList.children.map((e) => (e.name === 'score-part' ? renamePart(e) : e)),
  }
}
