import type { Element, ScoreDocument } from '../model/document.ts'

/** Children in the order that the XML Schema of MusicXML 4.0 wants, for the elements that we write. */
const sequences: Record<string, string> = {
  'score-partwise': 'work movement-number movement-title identification defaults credit part-list part',
  work: 'work-number work-title opus',
  identification: 'creator rights encoding source relation miscellaneous',
  defaults:
    'scaling concert-score page-layout system-layout staff-layout appearance music-font word-font lyric-font',
  scaling: 'millimeters tenths',
  'page-layout': 'page-height page-width page-margins',
  'page-margins': 'left-margin right-margin top-margin bottom-margin',
  appearance: 'line-width note-size distance glyph other-appearance',
  credit: 'credit-type link bookmark credit-words',
  'part-group':
    'group-name group-name-display group-abbreviation group-abbreviation-display group-symbol group-barline group-time',
  'score-part':
    'identification part-link part-name part-name-display part-abbreviation part-abbreviation-display group ' +
    'score-instrument player midi-device midi-instrument',
  'score-instrument':
    'instrument-name instrument-abbreviation instrument-sound solo ensemble virtual-instrument',
  'midi-instrument': 'midi-channel midi-name midi-bank midi-program midi-unpitched volume pan elevation',
  part: 'measure',
  attributes:
    'footnote level divisions key time staves part-symbol instruments clef staff-details transpose for-part directive ' +
    'measure-style',
  key: 'cancel fifths mode',
  time: 'beats beat-type',
  clef: 'sign line clef-octave-change',
  'staff-details': 'staff-type staff-lines line-detail staff-tuning capo staff-size',
  'staff-tuning': 'tuning-step tuning-alter tuning-octave',
  transpose: 'diatonic chromatic octave-change double',
  note:
    'grace cue chord pitch unpitched rest duration tie instrument footnote level voice type dot accidental ' +
    'time-modification stem notehead notehead-text staff beam notations lyric play listen',
  pitch: 'step alter octave',
  unpitched: 'display-step display-octave',
  rest: 'display-step display-octave',
  lyric: 'syllabic text elision extend',
  backup: 'duration',
  forward: 'duration footnote level voice staff',
  direction: 'direction-type offset footnote level voice staff sound listening',
  harmony: 'root kind inversion bass degree frame offset footnote level staff',
  root: 'root-step root-alter',
  bass: 'bass-separator bass-step bass-alter',
  metronome: 'beat-unit beat-unit-dot per-minute',
  'time-modification': 'actual-notes normal-notes',
  sound: 'swing offset',
  swing: 'first second swing-type',
  barline: 'bar-style footnote level wavy-line segno coda fermata ending repeat',
}

/** Children that may come in any order. */
const choices: Record<string, string> = {
  encoding: 'encoding-date encoder software encoding-description supports',
  'part-list': 'part-group score-part',
  measure: 'note backup forward direction attributes harmony print sound barline',
  'direction-type': 'words metronome dynamics wedge rehearsal pedal',
  notations: 'tied slur tuplet ornaments articulations fermata',
  articulations: 'accent staccato tenuto',
  ornaments: 'trill-mark',
  dynamics: 'ppp pp p mp mf f ff fff',
}

/** The places where a document breaks the order of elements in the MusicXML schema. */
export function orderFaults(document: ScoreDocument): string[] {
  const faults: string[] = []
  checkChildren(document.root, document.root.name, faults)
  return faults
}

function checkChildren(element: Element, path: string, faults: string[]): void {
  const sequence = sequences[element.name]?.split(' ')
  const allowed = sequence ?? choices[element.name]?.split(' ') ?? []
  let reached = 0
  element.children.forEach((child, index) => {
    const childPath = `${path}/${child.name}[${index}]`
    const place = allowed.indexOf(child.name)
    if (place < 0) faults.push(`${childPath} is not expected here`)
    else if (sequence !== undefined && place < reached) faults.push(`${childPath} comes too late`)
    else reached = place
    checkChildren(child, childPath, faults)
  })
}
