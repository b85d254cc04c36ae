import { expect, it } from 'vitest'
import { recordingTypeOf } from './recording-type.ts'

const webm = (codec: string) => `\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm\x18S\x80g ${codec}`

it.each([
  [webm('A_OPUS'), 'audio/webm'],
  [webm('A_OPUS V_VP9'), 'video/webm'],
  [webm('A_OPUS').replace('webm', 'matroska'), undefined],
  ['OggS\0\x02 OpusHead', 'audio/ogg'],
  ['OggS\0\x02 \x80theora', 'video/ogg'],
  ['\0\0\0\x1cftypM4A \0\0\0\0', 'audio/mp4'],
  ['\0\0\0\x1cftypiso5 moov hdlr soun', 'audio/mp4'],
  ['\0\0\0\x1cftypiso5 moov hdlr vide hdlr soun', 'video/mp4'],
  ['\0\0\0\x1cftypmp42 mdat', 'video/mp4'],
  ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
  ['RIFF\0\0\0\0WEBPVP8 ', undefined],
  ['fLaC\0\0\0\x22', 'audio/flac'],
  ['ID3\x04\0', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio/mpeg'],
  ['\xff\xf1\x50\x80', undefined],
  ['\xff\xd8\xff\xe0', undefined],
  ['<!DOCTYPE html>', undefined],
  ['', undefined],
])('recognizes %j as %s', (content, type) => {
  expect(recordingTypeOf(Buffer.from(content, 'latin1'))).toBe(type)
})
