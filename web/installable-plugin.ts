import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { type Plugin, transformWithOxc } from 'vite'

const sources = join(import.meta.dirname, 'src')
const icon = readFileSync(join(sources, 'app/icon.svg'), 'utf8')

/** The icons of the installed app. Systems cut a shape out of a maskable one, so its drawing is smaller and fills the corners. */
const icons = [
  { name: 'icon-192.png', size: 192, purpose: 'any' },
  { name: 'icon-512.png', size: 512, purpose: 'any' },
  { name: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
] as const

const svgOf = (purpose: 'any' | 'maskable'): string =>
  purpose === 'any'
    ? icon
    : icon
        .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
        .replace('<rect width="32" height="32" rx="7"', '<rect x="-4" y="-4" width="40" height="40"')

/** Makes what browsers need to install the app: its icons, the manifest, and the service worker with the number of the build. */
export function installablePlugin(): Plugin {
  return {
    name: 'partita:installable',
    apply: 'build',
    buildStart() {
      for (const { name, size, purpose } of icons) {
        const source = new Resvg(svgOf(purpose), { fitTo: { mode: 'width', value: size } }).render().asPng()
        this.emitFile({ type: 'asset', name, source })
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => [
        { tag: 'meta', attrs: { name: 'partita-build', content: buildOf(bundle) }, injectTo: 'head' },
        { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
        {
          tag: 'link',
          attrs: { rel: 'apple-touch-icon', href: pathIn(bundle, 'icon-192.png') },
          injectTo: 'head',
        },
      ],
    },
    async generateBundle(_options, bundle) {
      const path = join(sources, 'service-worker/service-worker.ts')
      const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path)
      // A service worker is no module, because not every browser runs modules there.
      const source = code.replace(/^export \{\};?$/m, '').replace(/(['"])BUILD\1/, `'${buildOf(bundle)}'`)
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
      const manifest = JSON.stringify({
        id: '/',
        name: 'Partita',
        start_url: '/',
        display: 'standalone',
        background_color: '#faf8f4',
        theme_color: '#faf8f4',
        icons: icons.map(({ name, size, purpose }) => ({
          src: pathIn(bundle, name),
          type: 'image/png',
          sizes: `${size}x${size}`,
          purpose,
        })),
      })
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: manifest })
    },
  }
}

type Bundle = Readonly<Record<string, { readonly fileName: string; readonly names?: readonly string[] }>>

/** A number for the contents of all files, whose names have a hash. */
const buildOf = (bundle: Bundle): string =>
  hash(
    'sha256',
    Object.keys(bundle)
      .filter((name) => name.startsWith('assets/'))
      .sort()
      .join('\n'),
  ).slice(0, 16)

function pathIn(bundle: Bundle, name: string): string {
  const file = Object.values(bundle).find(({ names }) => names?.includes(name))
  if (!file) throw new Error(`The build has no ${name}`)
  return `/${file.fileName}`
}
