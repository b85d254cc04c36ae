import { child, type Element, measuresOf, partsOf, type ScoreDocument } from '../src/music/model/document.ts'
import { node } from '../src/music/model/element.ts'
import { writeMusicXml } from '../src/music/formats/musicxml/write.ts'

/**
 * Joins songs for a voice and a piano to one score, as a printed volume has them: each song begins on a new page. Songs are repeated
 * until the score is long enough. Songs with other parts are left out.
 * @param bytes the least length of the MusicXML file
 */
export function longScore(songs: readonly ScoreDocument[], bytes: number): Uint8Array {
  const usable = songs.filter((song) => partsOf(song).length === 2)
  const [first] = usable
  if (!first) throw new Error('There is no song with two parts.')
  const measures: Element[][] = [[], []]
  let size = 0
  for (let count = 0; size < bytes; count++) {
    const song = usable[count % usable.length] ?? first
    for (const [index, part] of partsOf(song).entries())
      measures[index]?.push(
        ...measuresOf(part).map((one, at) => (at === 0 && count > 0 ? onNewPage(one) : one)),
      )
    size += writeMusicXml(song).length
  }
  const ids = partsOf(first)
  const children = first.root.children.map((one) => {
    const index = ids.indexOf(one)
    return index < 0 ? one : { ...one, children: measures[index] ?? [] }
  })
  return new TextEncoder().encode(writeMusicXml({ root: { ...first.root, children } }))
}

function onNewPage(measure: Element): Element {
  const print = child(measure, 'print')
  const attributes = { ...print?.attributes, 'new-page': 'yes' }
  const others = measure.children.filter((one) => one !== print)
  return { ...measure, children: [node('print', print?.children ?? [], attributes), ...others] }
}
