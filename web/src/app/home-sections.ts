import { type ComponentType, lazy } from 'react'

/**
 * The parts of the home page that belong to other areas than the library, in their order. Each is loaded with the page
 * (`lazy(() => import(…))`), and shows nothing if it has nothing to say to the user.
 */
export const homeSections: readonly ComponentType[] = [lazy(() => import('../features/home/home-work.tsx'))]
