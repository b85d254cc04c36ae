import { type ComponentType, createContext } from 'react'

/**
 * What other areas show on the home page, above the scores of the user. An area does not import another one, so the app
 * passes them on (app/home-sections.ts).
 */
export const HomeSectionsContext = createContext<readonly ComponentType[]>([])
