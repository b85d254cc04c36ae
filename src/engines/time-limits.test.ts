import { expect, test } from 'vitest'
import { musicXml } from '../../test/support/scores.ts'
import { readMusicXml } from '../music/formats/musicxml/read.ts'
import { mp3, wav } from './audio/formats.ts'
import { pdf } from './webmscore/formats.ts'

const scoreOf = (measures: number) =>
  readMusicXml(Buffer.from(musicXml({ measures: Array.from({ length: measures }, () => 'C4 D4 E4 F4') })))
const options = { page: 1, attempt: 0 }

test.each([
  ['pdf', pdf.export.write],
  ['mp3', mp3.export.write],
  ['wav', wav.export.write],
])('the time limit of a long score as %s is longer than that of a short one', (_, { prepare, load }) => {
  const [short = 0, long = 0] = [10, 500].map((measures) => prepare(scoreOf(measures), options).timeLimit)
  expect(short).toBeGreaterThanOrEqual(load.timeLimit)
  expect(long).toBeGreaterThan(short)
})
