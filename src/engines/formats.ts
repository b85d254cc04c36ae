import { notationFormats } from '../music/formats/registry.ts'
import { codeVersion, musicFolders } from './code-version.ts'
import { mp3, wav } from './audio/formats.ts'
import type { EngineName, ServerExport, ServerFormat } from './engine-format.ts'
import { pdf, svg, thumbnail } from './webmscore/formats.ts'

/**
 * The registry of formats: everything that the server reads, writes or only recognizes, one line a format. Formats that our
 * own code reads and writes are listed in `src/music/formats/registry.ts`.
 */
const registry = {
  ...notationFormats,
  svg,
  pdf,
  thumbnail,
  mp3,
  wav,
} as const satisfies FormatRegistry

/** Formats by name. */
export type FormatRegistry<Name extends string = string> = Readonly<Record<Name, ServerFormat>>

export type FormatName = keyof typeof registry

type ExportNameOf<Entry> = Entry extends { readonly export: { readonly name: infer Name extends string } }
  ? Name
  : never

/** The formats in which a score can be exported, as requests name them. */
export type ExportFormat = ExportNameOf<(typeof registry)[FormatName]>

export const formats: FormatRegistry<FormatName> = registry

/** The titles of the formats that the server reads, in the order of the registry. */
export const importTitles: readonly string[] = Object.values<ServerFormat>(formats).flatMap(
  ({ read, title }) => (read ? title : []),
)

const ownVersion = codeVersion(musicFolders)

/** The exports of a registry by their names in requests. */
export function exportsOf(entries: FormatRegistry): ReadonlyMap<string, ServerExport> {
  const exports = Object.values(entries).flatMap((entry) => entry.export ?? [])
  return new Map(exports.map((format) => [format.name, withVersion(format)]))
}

const withVersion = (format: ServerExport): ServerExport =>
  typeof format.write === 'function' ? { version: ownVersion, ...format } : format

/** How each export is made, by its name in requests. */
export const exportFormats = Object.fromEntries(exportsOf(formats)) as Readonly<
  Record<ExportFormat, ServerExport>
>

/** The formats in which a score can be exported, in the order of the registry. */
export const exportFormatNames = Object.keys(exportFormats) as readonly ExportFormat[]

/** The name of the engine that makes an export, or undefined if our own code does. */
export function engineOf({ write }: ServerExport): EngineName | undefined {
  return typeof write === 'function' ? undefined : write.engine
}
