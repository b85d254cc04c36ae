import { texts } from 'virtual:texts-of-recorder'
import { loadTexts } from '../../app/texts.ts'

/** Loads the recorder with its texts. */
export async function loadRecorder() {
  const [panel] = await Promise.all([import('./recorder-panel.tsx'), loadTexts('recorder', texts)])
  return panel
}
