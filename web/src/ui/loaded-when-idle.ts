import { type ComponentType, lazy } from 'react'

/**
 * Returns a component whose code is no part of the first load of a page. The browser loads it when it has nothing else to do, or when the
 * component is shown before that.
 * @param load imports the module of the component
 */
export function loadedWhenIdle<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  // What the page itself needs comes first. Safari has no `requestIdleCallback`.
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout
  setTimeout(() => whenIdle(() => void load().catch(() => undefined)), 4000)
  return lazy(() =>
    load().catch(() => {
      // The chunks have other names after an update of the server. The current page of the server knows them.
      location.reload()
      return new Promise<never>(() => {})
    }),
  ) as ComponentType<Props>
}
