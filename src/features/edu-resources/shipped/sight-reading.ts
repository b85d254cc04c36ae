import { ours, type ShippedAssignment } from './shipped-assignment.ts'

export const sightReading: readonly ShippedAssignment[] = [
  {
    key: 'dictation-in-g',
    title: 'Melodic dictation in G major',
    type: 'worksheet',
    subjects: ['music-theory', 'choir'],
    grades: ['7', '8', '9'],
    about: 'Four measures to write down by ear, of which the first is given.',
    task: `You will hear four measures three times. The first measure is written.

Listen once without writing. In the second hearing write the rhythm, in the third the notes. Sing what you have written before
you hand it in.`,
    teaching: `The melody to play is attached for you alone. It is all of the chords G and D7 but for passing notes; measure 3 rises
by step to D. Play it at the marked tempo, with a measure of clicks before.`,
    maxPoints: 12,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Dictation',
          key: 1,
          mode: 'major',
          tempo: 84,
          parts: [{ instrument: 'piano', clefs: ['treble'], staves: ['g4:4 b d5:2 | R | R | R'] }],
        },
      },
      {
        key: 'solution',
        use: 'teacherOnly',
        score: {
          title: 'Dictation: the melody',
          composer: ours,
          key: 1,
          mode: 'major',
          tempo: 84,
          parts: [
            {
              instrument: 'piano',
              clefs: ['treble'],
              staves: ['g4:4 b d5:2 | c5:4 a4 b:2 | a:4 b:8 c5 d:4 b4 | a:2 g'],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'sight-reading-in-f',
    title: 'Sight reading: steps and thirds in F',
    type: 'performance',
    subjects: ['band'],
    grades: ['6', '7'],
    about: 'Eight measures for flute that are new to everyone, with neighbours and thirds only.',
    task: `Take thirty seconds before you play: read the key signature, find the two highest notes, and hear the first measure in
your head.

Then play it once, without stopping and without going back. Record this first time.`,
    teaching: `The first reading is what counts; let students keep it. Look at pulse first, then at notes. B flat is in the key
signature and is what is forgotten most.`,
    recording: 'audio',
    maxPoints: 10,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'At first sight',
          subtitle: 'Steps and thirds',
          composer: ours,
          key: -1,
          mode: 'major',
          tempo: 76,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `!mp f4:4 g a bb | c5:2 a4 | bb:4 a g f | g:1 |
                / !mf a4:4 c5 bb4 a | g bb a g | f a g e | f:1`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'two-voices-at-sight',
    title: 'Sight singing in two voices',
    type: 'performance',
    subjects: ['choir'],
    grades: ['8', '9', '10'],
    about: 'A short piece for soprano and alto in G major, mostly in thirds and sixths.',
    task: `Sing the scale of G major and its chord. Then sing your voice on note names or solfège, slowly, without an instrument.

Record your voice; then play the other voice from the score while you sing yours.`,
    teaching: `Alto begins a third below. At the end the voices move apart, from a sixth to an octave; tune the last but one
interval. Exchange the voices.`,
    recording: 'audio',
    maxPoints: 10,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Two voices',
          composer: ours,
          key: 1,
          mode: 'major',
          time: '3/4',
          tempo: 84,
          parts: [
            {
              instrument: 'soprano',
              staves: ['b4:4 a g | a:2 b:4 | c5 b4 a | b:2. | / d5:4 c b4 | c5:2 a4:4 | g a f# | g:2.^'],
            },
            {
              instrument: 'alto',
              staves: ['g4:4 f# e | f#:2 g:4 | e g f# | g:2. | / b4:4 a g | e:2 f#:4 | e c a3 | g:2.^'],
            },
          ],
        },
      },
    ],
  },
]
