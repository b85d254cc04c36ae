import { join } from 'node:path'
import { defineConfig } from 'vite'

/**
 * The build of the embed. It is apart from that of the app, so that no chunk of the app is loaded into the frame of another site, and
 * writes into the same folder.
 */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: join(import.meta.dirname, 'embed.html') },
  },
  worker: { format: 'es' },
})
