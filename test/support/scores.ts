/** Small scores for tests. The code shows their content. */

/**
 * Returns a score in C major and 4/4, by default with one part. Each string is a measure of four quarter
 * notes, such as `C4 D4 E4 F4`, which all parts play.
 */
export function musicXml({
  title = 'Four notes',
  composer = 'Partita',
  measures = ['C4 D4 E4 F4'],
  parts = ['Piano'],
}: {
  title?: string
  composer?: string
  measures?: readonly string[]
  parts?: readonly string[]
} = {}): string {
  const scoreParts = parts.map(
    (name, i) => `<score-part id="P${i + 1}"><part-name>${name}</part-name></score-part>`,
  )
  const music = measures.map((notes, index) => measure(notes, index + 1)).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="4.0">
  <work><work-title>${escaped(title)}</work-title></work>
  <identification><creator type="composer">${escaped(composer)}</creator></identification>
  <part-list>${scoreParts.join('')}</part-list>
  ${parts.map((_, i) => `<part id="P${i + 1}">${music}</part>`).join('\n  ')}
</score-partwise>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function measure(notes: string, number: number): string {
  const attributes = `<attributes><divisions>1</divisions><key><fifths>0</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>`
  const written = notes.split(' ').map((note) => {
    const [step = '', octave = ''] = note
    return `<note><pitch><step>${step}</step><octave>${octave}</octave></pitch><duration>1</duration><type>quarter</type></note>`
  })
  return `<measure number="${number}">${number === 1 ? attributes : ''}${written.join('')}</measure>`
}

/** Returns the request body of createScore for an empty piano score. */
export const emptyPiano = (title = 'Empty') => ({
  title,
  builderData: { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } },
})

/** Encodes bytes for a request with `dataEncoding`. */
export const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

/** Returns a score of more than `bytes` bytes with four notes. The rest is a comment. */
export const largeMusicXml = (bytes: number, title?: string) =>
  musicXml(title === undefined ? {} : { title }).replace(
    '<work>',
    `<!--${'♩'.repeat(Math.ceil(bytes / 3))}--><work>`,
  )
