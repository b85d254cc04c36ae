import type { Element } from '../../music/model/document.ts'

const jumps: ReadonlySet<string> = new Set(['dacapo', 'dalsegno', 'tocoda', 'fine'])

/**
 * Leaves out the jumps that the words of a direction have for playback. The engine prints a jump of its own in place of such words:
 * "D.C." for "Menuetto Da Capo, poi la Coda".
 */
export function withoutJumpSounds(part: Element): Element {
  const children = part.children.map((measure) =>
    measure.children.some(isWordedJump)
      ? {
          ...measure,
          children: measure.children.map((one) => (isWordedJump(one) ? withPlainSound(one) : one)),
        }
      : measure,
  )
  return { ...part, children }
}

const isJump = ({ name, attributes }: Element): boolean =>
  name === 'sound' && Object.keys(attributes).some((attribute) => jumps.has(attribute))

function isWordedJump({ name, children }: Element): boolean {
  if (name !== 'direction' || !children.some(isJump)) return false
  return children.some((type) =>
    type.children.some((inner) => inner.name === 'words' && inner.text.trim() !== ''),
  )
}

function withPlainSound(direction: Element): Element {
  const plain = (sound: Element): Element => {
    const others = Object.entries(sound.attributes).filter(([name]) => !jumps.has(name))
    return { ...sound, attributes: Object.fromEntries(others) }
  }
  const children = direction.children.map((one) => (isJump(one) ? plain(one) : one))
  return { ...direction, children }
}
