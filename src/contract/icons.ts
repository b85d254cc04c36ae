/** The outlines of the icons as paths in a square of 24 units. They are drawn with a line of 1.75 units and no fill. */
export const icons = {
  home: 'M4 11 12 4l8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5z',
  scores: 'M6 3h12v18H6zM9 7.5h6M9 10.5h6M9 13.5h6M9 16.5h6',
  classes: 'M3.5 4.5h17v11.5h-17zM12 16v2M8 20.5l4-4 4 4M7 8.5h10M7 12h6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2.2.9 3.5 2.9 3.5 5.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-3.9 3.4-6.5 7.5-6.5s7.5 2.6 7.5 6.5',
  play: 'M7 4.5 19 12 7 19.5z',
  pause: 'M8 5v14M16 5v14',
  previous: 'M18 5 8 12l10 7zM6 5v14',
  next: 'M6 5l10 7-10 7zM18 5v14',
  repeat: 'M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19M16 4l3 3-3 3M19 13v1.5A2.5 2.5 0 0 1 16.5 17H5M8 20l-3-3 3-3',
  metronome: 'M9 3h6l4 18H5zM6.3 15h11.4M12 15 18.5 5',
  sliders: 'M6 4v6M6 14v6M4 12h4M12 4v3M12 11v9M10 9h4M18 4v9M18 17v3M16 15h4',
  minus: 'M5 12h14',
  plus: 'M5 12h14M12 5v14',
  heart: 'M12 20s-8-4.8-8-10.5A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.5C20 15.2 12 20 12 20z',
  share:
    'M16 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM16 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9.2 10.8l4.6-3.6M9.2 13.2l4.6 3.6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  print: 'M7 8V4h10v4M7 17H4.5V8h15v9H17M7 14h10v6H7z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M5 19l1.7-1.7M17.3 6.7 19 5',
  read: 'M12 6.5C10 5 7 4.7 3.5 5v13.5c3.5-.3 6.5 0 8.5 1.5 2-1.5 5-1.8 8.5-1.5V5c-3.5-.3-6.5 0-8.5 1.5zM12 6.5V20',
  large: 'M3 19 8.5 5h1L15 19M5 14.5h8M15.5 19l2.5-7h.5l2.5 7M16.5 16.5h4',
  trash: 'M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l.8 13.5h9.4l.8-13.5M10 10v6.5M14 10v6.5',
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  list: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6 6 18',
  comment: 'M4 5h16v11.5h-8.5L7 20.5v-4H4z',
  pencil: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.5l3.5 2',
  sent: 'M21 3 10 14M21 3l-6.5 18-4.5-7-7-4.5z',
  done: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.5l2.8 2.8L16 9.5',
} as const

export type IconName = keyof typeof icons
