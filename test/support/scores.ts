/** Scores that tests send. They are small and say in their code what is in them. */

/** A score for one part in C major and 4/4: each string is a measure of four quarter notes, such as `C4 D4 E4 F4`. */
export function musicXml({
  title = 'Four notes',
  composer = 'Partita',
  measures = ['C4 D4 E4 F4'],
}: {
  title?: string
  composer?: string
  measures?: readonly string[]
} = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="4.0">
  <work><work-title>${title}</work-title></work>
  <identification><creator type="composer">${composer}</creator></identification>
  <part-list><score-part id="P1"><part-name>Piano</part-name></score-part></part-list>
  <part id="P1">${measures.map((notes, index) => measure(notes, index + 1)).join('')}</part>
</score-partwise>`
}

function measure(notes: string, number: number): string {
  const attributes = `<attributes><divisions>1</divisions><key><fifths>0</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>`
  const written = notes.split(' ').map((note) => {
    const [step = '', octave = ''] = note
    return `<note><pitch><step>${step}</step><octave>${octave}</octave></pitch><duration>1</duration><type>quarter</type></note>`
  })
  return `<measure number="${number}">${number === 1 ? attributes : ''}${written.join('')}</measure>`
}

/** What createScore takes for an empty piano score. */
export const emptyPiano = (title = 'Empty') => ({
  title,
  builderData: { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } },
})
