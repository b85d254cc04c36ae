import type { Shorthand } from '../../../music/shorthand.ts'
import { ours, type ShippedAssignment } from './shipped-assignment.ts'

const triads = (named: boolean): Shorthand => {
  const right = [
    ['C', 'c4+e4+g4'],
    ['Am', 'a3+c4+e4'],
    ['F', 'f4+a4+c5'],
    ['G', 'g4+b4+d5'],
    ['Dm', 'd4+f4+a4'],
    ['E', 'e4+g#4+b4'],
    ['Bdim', 'b3+d4+f4'],
    ['C/E', 'g4+c5'],
    ['Dm/F', 'a4+d5'],
    ['G/D', 'g4+b4'],
  ]
  const left = ['c3', 'a2', 'f2', 'g2', 'd3', 'e2', 'b2', 'e3', 'f3', 'd3']
  const line = (at: number) => (at === 4 || at === 7 ? '/ ' : '')
  return {
    title: named ? 'Ten chords: key' : 'Ten chords',
    composer: ours,
    tempo: 80,
    parts: [
      {
        instrument: 'piano',
        staves: [
          right.map(([name, chord], at) => `${line(at)}${named ? `"${name}" ` : ''}${chord}:1`).join(' | '),
          left.map((note) => `${note}:1`).join(' | '),
        ],
      },
    ],
  }
}

const fourCadences = (named: boolean): Shorthand => {
  const names = ['Authentic', 'Plagal', 'Half', 'Deceptive']
  const soprano = ['b4:2 c5', 'c5:2 c5', 'c5:2 b4', 'b4:2 c5']
  return {
    title: named ? 'Four cadences: key' : 'Four cadences',
    composer: ours,
    mode: 'major',
    tempo: 66,
    parts: [
      {
        instrument: 'piano',
        staves: [
          [
            soprano.map((music, at) => `"${named ? names[at] : at + 1}" ${music}`).join(' || '),
            'g4:2 g4 | a4:2 g4 | g4:2 g4 | g4:2 e4',
          ],
          ['d4:2 e4 | f4:2 e4 | e4:2 d4 | d4:2 c4', 'g3:2 c3 | f3:2 c3 | c3:2 g2 | g3:2 a3'],
        ],
      },
    ],
  }
}

const cantus = 'd4:1 | f | e | g | f | a | g | f | e | d'

const counterpoint = (title: string, above: string): Shorthand => ({
  title,
  composer: ours,
  tempo: 120,
  parts: [
    { instrument: 'violin', name: 'Counterpoint', staves: [above] },
    { instrument: 'viola', name: 'Cantus', staves: [cantus] },
  ],
})

const saints = [
  ['F', 'c5:1~'],
  ['', 'c:4 f4 a bb'],
  ['', 'c5:1~'],
  ['', 'c:4 f4 a bb'],
  ['', 'c5:2 a4'],
  ['', 'f:2 a'],
  ['C7', 'g:1~'],
  ['', 'g:4 a a g'],
  ['F', 'f:2. f:4'],
  ['F7', 'a:2 c5:4 c'],
  ['B♭', 'bb4:1~'],
  ['', 'bb:2 a:4 bb'],
  ['F', 'c5:2 a4'],
  ['C7', 'f:2 g'],
  ['F', 'f:1~'],
  ['', 'f:4 r:2.'],
] as const

const saintsScore = (named: boolean): Shorthand => ({
  title: named ? 'When the Saints Go Marching In: key' : 'When the Saints Go Marching In',
  composer: 'Traditional, United States',
  arranger: `Arr. ${ours}`,
  key: -1,
  mode: 'major',
  tempo: 144,
  upbeat: 3,
  parts: [
    {
      instrument: 'flute',
      name: 'Melody',
      staves: [
        `f4:4 a bb | ${saints
          .map(([chord, music], at) => {
            const line = at % 4 === 0 && at > 0 ? '/ ' : ''
            return `${line}${named && chord ? `"${chord}" ` : ''}${music}`
          })
          .join(' | ')}`,
      ],
    },
    {
      instrument: 'piano',
      name: 'Chords',
      clefs: ['bass'],
      staves: [`r:2. | ${saints.map(() => 'R').join(' | ')}`],
    },
  ],
})

const blues = ['F7', 'B♭7', 'F7', 'F7', 'B♭7', 'B♭7', 'F7', 'F7', 'C7', 'B♭7', 'F7', 'C7']

const walking = [
  'f2:4 a c3 a2',
  'bb d3 f e',
  'f eb c g2',
  'f a c3 a2',
  'bb d3 f a',
  'bb ab g gb',
  'f eb d c',
  'f2 a c3 b2',
  'c3 e g a',
  'bb f d e',
  'f c a2 b2',
  'c3 bb2 a g',
]

/** @param bars what the bass plays in each of the twelve measures */
const bluesScore = (title: string, bars: readonly string[]): Shorthand => ({
  title,
  composer: ours,
  key: -1,
  tempo: 120,
  parts: [
    {
      instrument: 'cello',
      name: 'Bass',
      staves: [bars.map((music, at) => `${at % 4 === 0 && at > 0 ? '/ ' : ''}"${blues[at]}" ${music}`).join(' | ')],
    },
  ],
})

export const harmony: readonly ShippedAssignment[] = [
  {
    key: 'name-ten-chords',
    title: 'Name ten chords',
    type: 'worksheet',
    subjects: ['music-theory'],
    grades: ['9', '10', '11'],
    about: 'Major, minor and diminished triads for piano, at the end in inversion.',
    task: `Name each chord: its root and whether it is major, minor or diminished, such as “A” or “Gm”.

In the last three chords the lowest note is not the root. Write it behind a slash, such as “F/A”. Add the names as text to your
copy of the score.`,
    teaching: `C, Am, F, G, Dm, E, Bdim, C/E, Dm/F, G/D. The key with the names is attached for you alone. E major is the only
chord that is not in C major: ask where it would lead.`,
    maxPoints: 10,
    scores: [
      { key: 'score', use: 'copy', score: triads(false) },
      { key: 'solution', use: 'teacherOnly', score: triads(true) },
    ],
  },
  {
    key: 'four-cadences',
    title: 'Hear and name four cadences',
    type: 'worksheetText',
    subjects: ['music-theory', 'choir'],
    grades: ['11', '12', 'university'],
    about: 'Authentic, plagal, half and deceptive cadence in four voices.',
    task: `Each measure is a cadence in C major. Name the two chords by Roman numerals, and the cadence.

Then listen to each with your eyes closed: which sounds finished, which sounds like a question, which like a surprise?`,
    teaching: `V–I authentic, IV–I plagal, I–V half, V–vi deceptive. In the last one the leading tone goes up to C and the other upper
voices go down, against the bass, which avoids parallels. The key is attached for you alone.`,
    maxPoints: 12,
    scores: [
      { key: 'score', use: 'read', score: fourCadences(false) },
      { key: 'solution', use: 'teacherOnly', score: fourCadences(true) },
    ],
  },
  {
    key: 'first-species',
    title: 'Note against note: two-part writing',
    type: 'scoreTemplate',
    subjects: ['composition', 'music-theory'],
    grades: ['12', 'university'],
    about: 'First species counterpoint above a cantus in Dorian on D.',
    task: `Write one whole note above each note of the cantus. Use consonances only: thirds, sixths, octaves, fifths. Begin with an
octave or a fifth, and end with an octave that a sixth leads to.

No parallel fifths or octaves, no more than three thirds or sixths in a row. Write the interval under each note, and sing your
voice while the cantus plays.`,
    teaching: `The last but one note is C sharp, above E. A solution is attached for you alone; there are many. Look first at contrary
motion, then at how singable the line is.`,
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: counterpoint('Note against note', Array.from({ length: 10 }, () => 'R').join(' | ')),
      },
      {
        key: 'solution',
        use: 'teacherOnly',
        score: counterpoint('Note against note: a solution', 'd5:1 | c | c | b4 | d5 | c | b4 | a | c#5 | d'),
      },
    ],
  },
  {
    key: 'saints-three-chords',
    title: 'Three chords for the Saints',
    type: 'scoreTemplate',
    subjects: ['jazz-ensemble', 'music-theory'],
    grades: ['8', '9', '10'],
    about: 'Harmonize a well-known song with the chords on F, B flat and C.',
    task: `Choose a chord for each measure: F, B♭ or C7. Look at the long notes first: which of the three chords have them?

Write each chord with its root at the bottom into the lower staff, in whole notes. Play the score and change what does not sound
right.`,
    teaching: `The usual chords are attached for you alone. F fits more measures than students expect; the first C7 comes with the
long G. In measure 10 F7 leads to B flat: offer it to those who are done. In measure 14 F is right as well: the half note F is
in that chord, and in C7 it waits for the G.`,
    maxPoints: 16,
    scores: [
      { key: 'score', use: 'copy', score: saintsScore(false) },
      { key: 'solution', use: 'teacherOnly', score: saintsScore(true) },
    ],
  },
  {
    key: 'walking-blues',
    title: 'A walking bass for the blues',
    type: 'scoreTemplate',
    subjects: ['jazz-ensemble', 'composition'],
    grades: ['10', '11', '12'],
    about: 'Twelve measures of blues in F, for which students write a bass line in quarter notes.',
    task: `Write four quarter notes into each measure. The first is the root of the chord that stands above. For the others take
notes of the chord, and a step that leads to the next root.

Play your line with the metronome on the second and fourth beats.`,
    allows: ['metronome'],
    teaching: `One line is attached for you alone. Look for the approach to each first beat: a half or whole step from above or below,
or a fifth. The last measure leads back to the beginning.`,
    maxPoints: 24,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: bluesScore(
          'Blues in F',
          walking.map(() => 'R'),
        ),
      },
      { key: 'solution', use: 'teacherOnly', score: bluesScore('Blues in F: a bass line', walking) },
    ],
  },
]
