import { parse } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { installablePlugin } from './installable-plugin.ts'
import { textsPlugin } from './texts-plugin.ts'
import { verovioPlugin } from './verovio-plugin.ts'

/** The server that answers the requests of the pages during development. */
const server = process.env.PARTITA_URL ?? 'http://127.0.0.1:3000'

/** What the areas share is in files of its own for these folders. */
const groups = [
  { folder: '/web/src/score/', name: 'score-view' },
  { folder: '/web/src/teaching/', name: 'teaching' },
]

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [react(), textsPlugin(), installablePlugin()],
  // The server replaces NONCE in each response (src/web-app/browser-app.ts).
  ...(command === 'build' && { html: { cspNonce: 'NONCE' } }),
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page loads is apart from what some areas share. Libraries change less often than our own code.
        codeSplitting: {
          groups: [
            { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'libraries', test: /\/node_modules\//, tags: ['$initial'] },
            { name: 'frame', tags: ['$initial'] },
            {
              // A page without a score does not load its view, and a score does not load what pages of classes share.
              name: (id) => groups.find(({ folder }) => id.includes(folder))?.name ?? 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 8_000,
            },
          ],
        },
        // The frame has the names of all chunks, and hashes do not compress.
        // Vite names a chunk that several areas share after all of them.
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${parse(name).name.replace(/~.*/, '')}-[hash:7][extname]`,
        chunkFileNames: ({ moduleIds, name }) => {
          const area = moduleIds.map((id) => /\/features\/([^/]+)\/pages\.ts$/.exec(id)?.[1]).find(Boolean)
          const texts = /texts-.*$/.exec(name)?.[0]
          return `assets/${area ?? texts ?? name.replace(/~.*/, '')}-[hash:7].js`
        },
      },
    },
  },
  // The synthesizer is a module in the scope of a worklet.
  worker: { format: 'es', plugins: () => [verovioPlugin()] },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(internal|auth|v2|docs|invitations|sounds)(/|$)': server },
  },
}))
