import { texts } from 'virtual:texts-of-editor'
import { loadTexts } from '../app/texts.ts'

/** Loads the editor with its texts. */
export async function loadEditor() {
  const [editor] = await Promise.all([import('./edit-view.tsx'), loadTexts('editor', texts)])
  return editor
}
