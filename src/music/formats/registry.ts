import { abc } from './abc/format.ts'
import { cap, capx } from './capella/format.ts'
import type { Format } from './format.ts'
import { gp, gp3, gp4, gp5, gpx } from './guitar-pro/format.ts'
import { krn } from './humdrum/format.ts'
import { json } from './json/format.ts'
import { measureContents } from './measure-contents/format.ts'
import { mei } from './mei/format.ts'
import { midi } from './midi/format.ts'
import { mscx, mscz } from './musescore/format.ts'
import { musicxml } from './musicxml/format.ts'
import { mxl } from './mxl/format.ts'
import { noteTimes } from './note-times/format.ts'
import { ove } from './overture/format.ts'
import { ptb } from './power-tab/format.ts'
import { synchronizationPoints } from './synchronization-points/format.ts'

/**
 * All formats, as far as our own code knows them. `src/engines/formats.ts` adds the formats of engines. If two sniffers accept
 * a file, the first one in this list wins.
 */
export const notationFormats = {
  musicxml,
  mxl,
  midi,
  json,
  synchronizationPoints,
  noteTimes,
  measureContents,
  gp3,
  gp4,
  gp5,
  gpx,
  gp,
  mscz,
  mscx,
  mei,
  krn,
  abc,
  ptb,
  cap,
  capx,
  ove,
} as const satisfies Readonly<Record<string, Format>>
