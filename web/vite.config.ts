import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server that answers the requests of the pages during development. */
const server = process.env.PARTITA_URL ?? 'http://127.0.0.1:3000'

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [react()],
  // The server replaces NONCE in each response (src/web-app/browser-app.ts).
  ...(command === 'build' && { html: { cspNonce: 'NONCE' } }),
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Each area has a chunk. The code that areas share is apart from libraries, which change less often.
        codeSplitting: {
          groups: [
            { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'libraries', test: /\/node_modules\//, minShareCount: 2 },
            { name: 'shared', test: /\/(?:web\/src\/(?:app(?!\/main)|ui)|src\/(?:contract|http|texts))\// },
          ],
        },
        chunkFileNames: ({ moduleIds, name }) => {
          const area = moduleIds.map((id) => /\/features\/([^/]+)\/pages\.ts$/.exec(id)?.[1]).find(Boolean)
          return `assets/${area ?? name}-[hash].js`
        },
      },
    },
  },
  // The synthesizer is a module in the scope of a worklet.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(internal|auth|v2|docs|invitations|sounds)(/|$)': server },
  },
}))
