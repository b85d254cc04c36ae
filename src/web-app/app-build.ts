import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type AppAddress, appPages } from '../contract/app-pages.ts'
import { once } from '../lib/once.ts'

/** The files that `npm run build` makes from `web/`. */
export interface AppBuild {
  /** The HTML of every page. NONCE stands for the nonce of one response. */
  readonly page: string
  /** The HTML of an embed. */
  readonly embed: string
  /** The files below `/assets`, by their names. */
  readonly assets: ReadonlyMap<string, Asset>
  /** The service worker and the manifest, by their names. Their content can change with each build. */
  readonly rootFiles: ReadonlyMap<RootFile, Asset>
  /** The files of a module of `web/` and of all modules that it imports. */
  filesOfModule(path: string): readonly string[]
  /** The files that a page loads before it works. */
  filesOf(address: AppAddress | undefined, language: string): PageFiles
}

export const rootFiles = ['service-worker.js', 'manifest.webmanifest'] as const
type RootFile = (typeof rootFiles)[number]

export interface Asset {
  readonly mediaType: string
  readonly plain: Buffer
  /** Each compresses the content on the first call and caches the result. */
  gzipped(): Promise<Buffer>
  brotli(): Promise<Buffer>
}

/** Names of files below `/assets`. */
export interface PageFiles {
  /** Scripts and styles that every page loads. The HTML names them. */
  readonly frame: readonly string[]
  /** Scripts of the area of the page, and its texts. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** What Vite writes about its output. */
type Manifest = Readonly<Record<string, Chunk>>
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

const buildFolder = join(import.meta.dirname, '../../web/dist')

/** Reads all built files into memory. Returns undefined if the app is not built. */
export async function readBuild(folder = buildFolder): Promise<AppBuild | undefined> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    const embed = await readFile(join(folder, 'embed.html'), 'utf8')
    const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
    const names = await readdir(join(folder, 'assets'))
    const assets = await readAssets(join(folder, 'assets'), names)
    const ofRoot = await readAssets(folder, rootFiles)
    return {
      page,
      embed,
      assets,
      rootFiles: ofRoot,
      filesOf: pageFiles(manifest),
      filesOfModule: (path) => filesWithImports(manifest, path),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readAssets<Name extends string>(
  folder: string,
  names: readonly Name[],
): Promise<Map<Name, Asset>> {
  const files = names.map(async (name) => [name, asset(name, await readFile(join(folder, name)))] as const)
  return new Map(await Promise.all(files))
}

function asset(name: string, plain: Buffer): Asset {
  return {
    mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream',
    plain,
    gzipped: once(() => promisify(gzip)(plain, { level: 9 })),
    // The best quality would take ten times as long, for 7 % fewer bytes.
    brotli: once(() => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
  }
}

function pageFiles(manifest: Manifest): AppBuild['filesOf'] {
  const frame = new Set(filesWithImports(manifest, 'index.html'))
  return (address, language) => {
    const area = address && appPages[address]
    const chunks = [
      ...(area ? [`src/features/${area}/pages.ts`, `../virtual:texts-${language}-${area}`] : []),
      `../virtual:texts-${language}-frame`,
    ]
    const files = new Set(chunks.flatMap((chunk) => filesWithImports(manifest, chunk)))
    const added = [...files].filter((file) => !frame.has(file))
    return {
      frame: [...frame],
      scripts: added.filter((file) => file.endsWith('.js')),
      styles: added.filter((file) => file.endsWith('.css')),
    }
  }
}

/** Returns the files of a chunk and of all chunks that it imports. */
function filesWithImports(manifest: Manifest, chunk: string, visited = new Set<string>()): string[] {
  const entry = manifest[chunk]
  if (!entry || visited.has(chunk)) return []
  visited.add(chunk)
  const imported = (entry.imports ?? []).flatMap((one) => filesWithImports(manifest, one, visited))
  return [...imported, ...[entry.file, ...(entry.css ?? [])].map((file) => file.replace(/^assets\//, ''))]
}
