/** The outlines of the icons as paths in a square of 24 units. They are drawn with a line of 1.75 units and no fill. */
export const icons = {
  home: 'M4 11 12 4l8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5z',
  scores: 'M6 3h12v18H6zM9 7.5h6M9 10.5h6M9 13.5h6M9 16.5h6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2.2.9 3.5 2.9 3.5 5.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-3.9 3.4-6.5 7.5-6.5s7.5 2.6 7.5 6.5',
} as const

export type IconName = keyof typeof icons
