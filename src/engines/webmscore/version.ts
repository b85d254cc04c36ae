import { codeVersion } from '../code-version.ts'

/** The version of the engraving: that of the engine, of its fonts, and of our code that prepares its documents. */
export const engraverVersion = codeVersion(
  ['./', '../../music/formats/musicxml/', '../../music/model/'].map(
    (folder) => new URL(folder, import.meta.url),
  ),
  ['webmscore', '@librescore/fonts'],
)
