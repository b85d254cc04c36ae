import satisfies from 'spdx-satisfies'

/** A package of the lock file, as npm writes it (lockfileVersion 3). The key of the root package is the empty string. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  /** Whether only development needs the package. */
  readonly dev?: boolean
}

/** A dependency and its licence. */
export interface DependencyLicence {
  readonly name: string
  readonly version: string
  /** An SPDX expression, or what the package says in place of one. */
  readonly licence: string
  readonly isForDevelopment: boolean
  /** Whether the licence permits distribution together with code under AGPL-3.0-or-later. */
  readonly fits: boolean
}

/** Licences that are compatible with AGPL-3.0-or-later (GNU project, "Various Licenses and Comments about Them"). */
const compatible = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'GPL-3.0-only',
  'GPL-3.0-or-later',
  'ISC',
  'LGPL-2.1-or-later',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

/** Also accepted for packages that only development needs: they are not distributed. */
const compatibleInDevelopment = [...compatible, 'CC-BY-3.0', 'CC-BY-4.0']

/** Licences of packages that do not name them as an SPDX expression. docs/decisions/029-licences.md has the sources. */
const settled: Readonly<Record<string, string>> = { webmscore: 'GPL-3.0-only' }

/** Lists the licences of all packages of a lock file, by name. */
export function licencesOf(packages: Readonly<Record<string, LockedPackage>>): DependencyLicence[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license = 'none', dev = false }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const licence = settled[name] ?? license
      return { name, version, licence, isForDevelopment: dev, fits: isCompatible(licence, dev) }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

function isCompatible(licence: string, isForDevelopment: boolean): boolean {
  try {
    return satisfies(licence, isForDevelopment ? compatibleInDevelopment : compatible)
  } catch {
    // Not an SPDX expression.
    return false
  }
}
