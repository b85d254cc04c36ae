import { describe, expect, it } from 'vitest'
import type { Element, ScoreDocument } from '../../model/document.ts'
import { readMusicXml } from './read.ts'
import { writeMusicXml } from './write.ts'

function element(
  name: string,
  attributes: Record<string, string>,
  ...content: Array<Element | string>
): Element {
  const children = content.filter((item) => typeof item !== 'string')
  return { name, attributes, children, text: content.filter((item) => typeof item === 'string').join('') }
}

function scoreWith(attributes: Record<string, string>, ...content: Element[]): ScoreDocument {
  return {
    root: element('score-partwise', attributes, element('part', {}, element('measure', {}, ...content))),
  }
}

describe('writeMusicXml', () => {
  it('writes a declaration, the DOCTYPE and one element per line', () => {
    const note = element('note', { 'default-x': '12' }, element('rest', {}), element('duration', {}, '4'))
    expect(
      writeMusicXml(scoreWith({ version: '4.0' }, note)),
    ).toBe(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="4.0">
  <part>
    <measure>
      <note default-x="12">
        <rest/>
        <duration>4</duration>
      </note>
    </measure>
  </part>
</score-partwise>
`)
  })

  it.each([
    [{ version: '3.1' }, '3.1'],
    [{ version: '2.0' }, '2.0'],
    [{}, '1.0'],
    [{ version: '5.0' }, '4.0'],
    [{ version: '"><!ENTITY' }, '4.0'],
  ])('names the DTD of the version %j', (attributes: Record<string, string>, version) => {
    expect(writeMusicXml(scoreWith(attributes))).toContain(
      `"-//Recordare//DTD MusicXML ${version} Partwise//EN"`,
    )
  })

  it('leaves out uuids', () => {
    const document = scoreWith({})
    for (const part of document.root.children) part.uuid = '00000000-0000-4000-8000-000000000000'
    expect(writeMusicXml(document)).not.toContain('00000000')
  })

  it('escapes characters that a reader would change', () => {
    const text = ' <a> & "b" \'c\' ]]> \t\r\n\r \u0085\u2028 𝄞 '
    const document = scoreWith({ version: '4.0' }, element('words', { x: text }, text))
    const xml = writeMusicXml(document)
    expect(readMusicXml(Buffer.from(xml)).root).toEqual(document.root)
    expect(xml).not.toContain(']]>')
  })
})
