import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'
import lock from '../package-lock.json' with { type: 'json' }

const { version } = lock.packages['node_modules/verovio']
const cache = join(import.meta.dirname, '../node_modules/.cache/verovio')

/**
 * Verovio has its WebAssembly as a text in its script. This plugin makes a file of it: a file is smaller, and the browser compiles it
 * while it arrives and keeps the result.
 */
export function verovioPlugin(): Plugin {
  return {
    name: 'partita:verovio',
    enforce: 'pre',
    transform: {
      filter: { id: /verovio-module\.mjs$/ },
      handler(code) {
        const start = code.indexOf(opening) + opening.length
        const end = code.indexOf(closing)
        if (start < opening.length || end < start)
          throw new Error('This version of verovio is packed in another way.')
        const file = join(cache, `verovio-${version}.wasm`)
        if (!existsSync(file)) {
          mkdirSync(cache, { recursive: true })
          writeFileSync(file, bytesOf(code.slice(start, end)))
        }
        const script = `${code.slice(0, start)}verovioWasm${code.slice(end)}`
        return {
          code: `import verovioWasm from ${JSON.stringify(`${file}?url`)}\n${withoutNode(script)}`,
          map: null,
        }
      },
    },
  }
}

const opening = 'function findWasmBinary(){return binaryDecode('
const closing = ')}function getBinarySync'

/** @param literal the text as JavaScript, with a character for each byte, and U+0100 for zero */
function bytesOf(literal: string): Uint8Array {
  const text: string = runInNewContext(literal)
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)
}

/** The script loads the file instead of decoding the text, and has no use for the modules of Node. */
function withoutNode(script: string): string {
  const changes: readonly [string | RegExp, string][] = [
    ['return binaryDecode(verovioWasm)', 'return verovioWasm'],
    [
      'var binary=await getWasmBinary(binaryFile);var instance=await WebAssembly.instantiate(binary,imports)',
      'var instance=await WebAssembly.instantiateStreaming(fetch(binaryFile),imports)',
    ],
    [/var ENVIRONMENT_IS_NODE=[^;]+;/, 'var ENVIRONMENT_IS_NODE=false;'],
    [/await import\("node:module"\)/, '{}'],
  ]
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`This version of verovio has no ${from}.`)
    return changed
  }, script)
}
