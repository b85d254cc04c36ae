import { child, childText, type Element, type ScoreDocument } from '../music/document.ts'
import { leaf, node } from '../music/element.ts'
import { type MidiFile, readMidiFile } from './midi-file.ts'
import { withTempos } from './midi-tempos.ts'
import { encodeUnisons, type Unisons, withUnisons } from './midi-unisons.ts'

/** What of a MIDI file the notation engine would lose. */
export interface MidiRemainder extends Pick<MidiFile, 'title' | 'copyright' | 'tempos'> {
  /** What velocities stand for in the engine's file; empty where they stand for themselves. */
  unisons: Unisons
}

/** Checks a MIDI file and makes one of it for the engine. Fails with INVALID_MIDI. */
export function prepareMidi(bytes: Uint8Array): { midi: Uint8Array; remainder: MidiRemainder } {
  const file = readMidiFile(bytes)
  const { midi, unisons } = encodeUnisons(file)
  return { midi, remainder: { unisons, title: file.title, copyright: file.copyright, tempos: file.tempos } }
}

/**
 * The engine's MusicXML without what it made up, the layout of a page that was never laid out, and without the
 * characters of a MIDI file's texts that XML may not have. Works on its text, because the layout is a third of it and
 * could be what makes it too large to be read.
 */
export function withoutLayout(xml: string): string {
  return xml
    .replace(/ (?:default-[xy]|relative-[xy]|width)="[^"]*"/g, '')
    .replace(/<print>[\s\S]*?<\/print>/g, '')
    .replace(/<defaults>[\s\S]*?<\/defaults>/, '')
    .replace(/\n\s+/g, '\n')
    .replace(/[\uFFFE\uFFFF]/g, '')
}

/** The document of the engine's MusicXML with what the engine left out. */
export function completed(
  { root }: ScoreDocument,
  { unisons, title, copyright, tempos }: MidiRemainder,
): ScoreDocument {
  const [first] = root.children.filter(({ name }) => name === 'part')
  const children = root.children.map((element) => {
    switch (element.name) {
      case 'identification':
        return copyright ? { ...element, children: [leaf('rights', copyright), ...element.children] } : element
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
  const renamed = (scorePart: Element): Element => {
    const instrument = childText(child(scorePart, 'score-instrument') ?? scorePart, 'instrument-name')
    const name = childText(scorePart, 'part-name') ?? ''
    if (!instrument || !name.startsWith(`${instrument}, `)) return scorePart
    const own = leaf('part-name', name.slice(instrument.length + 2))
    return { ...scorePart, children: scorePart.children.map((e) => (e.name === 'part-name' ? own : e)) }
  }
  return { ...partList, children: partList.children.map((e) => (e.name === 'score-part' ? renamed(e) : e)) }
}
