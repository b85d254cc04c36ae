// No schemas, so that the browser app can load this file without them.

/** A shape of a picture: its color and its path, in a square of 48 units. */
type Shape = readonly [fill: string, path: string]

const oval = (x: number, y: number, rx: number, ry = rx): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`

const dark = '#262320'
const eyes = (y: number, apart = 7): Shape => [dark, oval(24 - apart, y, 2.5) + oval(24 + apart, y, 2.5)]

/** The pictures of students, by the names of the animals. */
export const pupilSymbols = {
  cat: [
    ['#d97b29', 'M7 22 9 3l13 9zM41 22 39 3l-13 9z'],
    ['#d97b29', oval(24, 27, 17)],
    eyes(25),
    ['#7a2e2e', 'M20.5 30h7L24 34.5z'],
  ],
  dog: [
    ['#b98048', oval(24, 26, 15, 18)],
    ['#6e4524', oval(9, 21, 5, 12) + oval(39, 21, 5, 12)],
    ['#f1dcc0', oval(24, 34, 8, 6)],
    [dark, oval(24, 31, 3.5, 2.5)],
    eyes(22, 6),
  ],
  rabbit: [
    ['#b9b0a8', `${oval(15, 13, 5, 12)}${oval(33, 13, 5, 12)}${oval(24, 31, 15)}`],
    ['#f3b6c0', `${oval(15, 13, 2, 8)}${oval(33, 13, 2, 8)}${oval(24, 34, 2.5, 2)}`],
    eyes(28, 6),
  ],
  bear: [
    ['#7c5230', `${oval(10, 12, 7)}${oval(38, 12, 7)}${oval(24, 26, 18)}`],
    ['#d9b48a', oval(24, 33, 8, 6)],
    [dark, oval(24, 30.5, 3.5, 2.5)],
    eyes(22),
  ],
  mouse: [
    ['#8290a0', `${oval(10, 14, 9.5)}${oval(38, 14, 9.5)}${oval(24, 30, 14)}`],
    ['#f3b6c0', `${oval(10, 14, 5)}${oval(38, 14, 5)}${oval(24, 37, 2.5)}`],
    eyes(28, 5.5),
  ],
  fox: [
    ['#d9591f', 'M4 4 17 13h14L44 4l-1 23-19 18L5 27z'],
    ['#f3dcc6', 'M5.5 28 24 45l-5-15zM42.5 28 24 45l5-15z'],
    [dark, oval(24, 42, 3.2)],
    eyes(25),
  ],
  owl: [
    ['#86643f', 'M7 4l10 6h14l10-6-2 14H9z'],
    ['#86643f', oval(24, 27, 18)],
    ['#fff', oval(16, 22, 7.5) + oval(32, 22, 7.5)],
    [dark, oval(16, 22, 3.5) + oval(32, 22, 3.5)],
    ['#e89a14', 'M20.5 28h7L24 35z'],
  ],
  frog: [
    ['#4a9a43', `${oval(13, 12, 8)}${oval(35, 12, 8)}${oval(24, 29, 20, 15)}`],
    ['#fff', oval(13, 11, 4.5) + oval(35, 11, 4.5)],
    [dark, `${oval(13, 11, 2.2)}${oval(35, 11, 2.2)}M10 31q14 9 28 0-14 4-28 0z`],
  ],
  pig: [
    ['#e27f94', 'M7 20 8 5l13 6zM41 20 40 5 27 11z'],
    ['#f6b1bf', oval(24, 27, 18)],
    ['#e27f94', oval(24, 32, 8, 6)],
    [dark, oval(21, 32, 1.6, 2.2) + oval(27, 32, 1.6, 2.2)],
    eyes(22, 8),
  ],
  panda: [
    [dark, `${oval(10, 12, 7)}${oval(38, 12, 7)}`],
    ['#e4e1dc', oval(24, 27, 18)],
    [dark, `${oval(16, 25, 5, 6)}${oval(32, 25, 5, 6)}${oval(24, 34, 3.2, 2.3)}`],
    ['#fff', oval(16, 24.5, 2) + oval(32, 24.5, 2)],
  ],
  lion: [
    ['#a8581a', oval(24, 25, 21)],
    ['#f0bd48', oval(24, 26, 14.5)],
    eyes(23, 6),
    [dark, 'M20.5 28h7L24 32.5z'],
  ],
  fish: [
    ['#2a7fc2', `${oval(20, 25, 17, 12)}M33 25 46 14v22z`],
    ['#8fc6f0', 'M18 25q6-6 9 0-3 6-9 0z'],
    ['#fff', oval(11, 22, 3.5)],
    [dark, oval(11, 22, 1.8)],
  ],
} as const satisfies Readonly<Record<string, readonly Shape[]>>

export type PupilSymbol = keyof typeof pupilSymbols
export const pupilSymbolNames = Object.keys(pupilSymbols) as PupilSymbol[]

/** The pictures of the digits of a PIN: 0 to 9. */
export const pinPictures: readonly (readonly Shape[])[] = [
  // A ball, the sun, a heart, a star, the moon.
  [
    ['#c0392b', oval(24, 24, 19)],
    ['#fff', 'M5 22h38v5H5z'],
  ],
  [
    [
      '#e89a14',
      `${oval(24, 24, 11)}M22 2h4v8h-4zM22 38h4v8h-4zM2 22h8v4H2zM38 22h8v4h-8zM8 11l3-3 5 5-3 3zM32 35l3-3 5 5-3 3zM8 37l5-5 3 3-5 5zM32 13l5-5 3 3-5 5z`,
    ],
  ],
  [
    [
      '#d6336c',
      'M24 43S4 31 4 17.5C4 10 9.5 6 14.5 6 19 6 22.5 8.5 24 12c1.5-3.5 5-6 9.5-6C38.5 6 44 10 44 17.5 44 31 24 43 24 43z',
    ],
  ],
  [['#c99700', 'M24 3l6.2 13.6L45 18.2 34 28.2 37 43 24 35.5 11 43l3-14.8-11-10 14.8-1.6z']],
  [['#5b6bbf', 'M30 4a20 20 0 1 0 14 29A17 17 0 0 1 30 4z']],
  // A tree, a house, a boat, a flower, a leaf.
  [
    ['#7c5230', 'M21 32h6v13h-6z'],
    ['#3d8b3d', 'M24 2 40 22h-8l10 12H6l10-12H8z'],
  ],
  [
    ['#b5452c', 'M24 4 45 22H3z'],
    ['#d9b48a', 'M8 22h32v22H8z'],
    ['#5a3a22', 'M20 30h8v14h-8z'],
  ],
  [
    ['#7c5230', 'M4 33h40l-7 11H11z'],
    ['#2a7fc2', 'M22 4v26H6zM26 10v20h14z'],
  ],
  [
    ['#c2388f', `${oval(24, 11, 8)}${oval(24, 37, 8)}${oval(11, 24, 8)}${oval(37, 24, 8)}`],
    ['#e8b414', oval(24, 24, 7.5)],
  ],
  [
    ['#2f8f6b', 'M42 5C20 4 6 14 7 32c0 4 1 6 1 6s2 1 5 1C32 40 44 27 42 5z'],
    ['#c9f0de', 'M6 44 30 17l2 2L9 46z'],
  ],
]

/** The number of digits of a PIN. */
export const pinLength = 4
