import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { appPages } from '../src/contract/app-pages.ts'
import { usedKeys } from '../src/texts/used-keys.ts'

const sources = join(import.meta.dirname, 'src')
const locales = join(import.meta.dirname, '../locales')
const areas = [...new Set(Object.values(appPages))]
const parts = ['frame', ...areas]
/** Panels with so many texts that a page loads these with the panel. */
const panels: Readonly<Record<string, string>> = {
  editor: join(sources, 'editor/edit-view.tsx'),
  recorder: join(sources, 'score/recorder/recorder-panel.tsx'),
}
const languages = readdirSync(locales).flatMap((file) => /^(\w+)\.json$/.exec(file)?.[1] ?? [])

/**
 * Divides the texts, so that a page loads those that it can show. The frame has the texts that the code loaded with every page
 * uses. Each area has the other texts that its code uses. `virtual:texts` exports the functions that load them, by language and part,
 * and `virtual:texts-of-editor` those of a panel.
 */
export function textsPlugin(): Plugin {
  const found = new Map<string, string[]>()
  const keysIn = (part: string, all: readonly string[]): string[] => {
    const keys = found.get(part) ?? keysOf(part, all)
    found.set(part, keys)
    return keys
  }
  return {
    name: 'partita:texts',
    // The code may have changed since the last build of the same process.
    buildStart: () => found.clear(),
    resolveId: (id) => (id.startsWith('virtual:texts') ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0virtual:texts') return index(parts)
      const [, panel] = /^\0virtual:texts-of-(\w+)$/.exec(id) ?? []
      if (panel) return index([panel])
      const [, language, part] = /^\0virtual:texts-(\w+)-(.+)$/.exec(id) ?? []
      if (!language || !part) return undefined
      const file = join(locales, `${language}.json`)
      this.addWatchFile(file)
      const texts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
      const keys = keysIn(part, Object.keys(texts))
      return `export default ${JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]])))}`
    },
  }
}

function index(parts: readonly string[]): string {
  const loaders = (language: string) =>
    parts.map((part) => `'${part}': () => import('virtual:texts-${language}-${part}')`).join(', ')
  return `export const texts = { ${languages.map((language) => `${language}: { ${loaders(language)} }`).join(', ')} }`
}

/**
 * @param part `frame`, an area, or a panel
 * @param keys the keys of all texts
 */
function keysOf(part: string, keys: readonly string[]): string[] {
  const frame = usedKeys(codeFrom(join(sources, 'app/main.tsx')), keys)
  if (part === 'frame') return frame
  const panel = panels[part]
  if (panel) return usedKeys(codeFrom(panel), keys).filter((key) => !frame.includes(key))
  const files = [`${part}/pages.ts`, ...(part === homeArea ? ['home/home-work.tsx'] : [])]
  const code = files.map((file) => codeFrom(join(sources, 'features', file)))
  const used = usedKeys(code.join('\n'), keys)
  return used.filter((key) => !frame.includes(key))
}

/** The area of the home page, which alone shows the sections of `features/home`. */
const homeArea = appPages['/']
const areaImport = /\/features\/(?:[^/]+\/pages\.ts|home\/[^/]+\.tsx)$/

/** Returns the code of a file and of all files that it imports, without those of the areas, of the home page and of the panels. */
function codeFrom(file: string, found = new Map<string, string>()): string {
  const code = readFileSync(file, 'utf8')
  found.set(file, code)
  for (const [, specifier = ''] of code.matchAll(
    /^(?!import type).*?(?:\bfrom |\bimport |\bimport\()'(\.[^']+\.tsx?)'/gm,
  )) {
    const target = join(dirname(file), specifier)
    if (Object.values(panels).includes(target)) continue
    if (!found.has(target) && (!areaImport.test(target) || areaImport.test(file))) codeFrom(target, found)
  }
  return [...found.values()].join('\n')
}
