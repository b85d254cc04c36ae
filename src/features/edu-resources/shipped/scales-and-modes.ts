import { ours, type ShippedAssignment } from './shipped-assignment.ts'

export const scales: readonly ShippedAssignment[] = [
  {
    key: 'three-major-scales',
    title: 'Three major scales for violin',
    type: 'performance',
    subjects: ['orchestra'],
    grades: ['5', '6', '7'],
    about: 'G, D and A major in one octave, up and down, in first position.',
    task: `Say the sharps of each scale before you play it. Where are the half steps? Your fingers touch there.

Record the three scales one after another, a whole bow for each half measure first, then one for each note.`,
    teaching: `A major needs a high second finger on the E string (G sharp). For other instruments transpose the score.`,
    recording: 'audio',
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Three major scales',
          composer: ours,
          key: 1,
          mode: 'major',
          tempo: 80,
          parts: [
            {
              instrument: 'violin',
              staves: [
                `"G major" g4:4 a b c5 | d e f# g | g f# e d | c b4 a g ||
                / key:2 "D major" d4 e f# g | a b c#5 d | d c# b4 a | g f# e d ||
                / key:3 "A major" a4 b c#5 d | e f# g# a | a g# f# e | d c# b4 a`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'three-kinds-of-minor',
    title: 'Three kinds of minor',
    type: 'scoreTemplate',
    subjects: ['music-theory'],
    grades: ['8', '9', '10'],
    about: 'Students turn a natural minor scale into the harmonic and the melodic one by adding accidentals.',
    task: `All three lines are A natural minor. Leave the first as it is.

Add accidentals to the second line so that it becomes harmonic minor, and to the third so that it becomes melodic minor. Mind
the way down of the melodic scale. Play all three and describe in a sentence how they differ.`,
    teaching: `Harmonic: G sharp up and down. Melodic: F sharp and G sharp up, both natural on the way down. The key is attached
for you alone. Ask where students have heard the step from F to G sharp.`,
    maxPoints: 10,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Three kinds of minor',
          mode: 'minor',
          composer: ours,
          tempo: 88,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `"Natural" a4:4 b c5 d | e f g a | a g f e | d c b4 a ||
                / "Harmonic" a4 b c5 d | e f g a | a g f e | d c b4 a ||
                / "Melodic" a4 b c5 d | e f g a | a g f e | d c b4 a`,
              ],
            },
          ],
        },
      },
      {
        key: 'solution',
        use: 'teacherOnly',
        score: {
          title: 'Three kinds of minor: key',
          mode: 'minor',
          composer: ours,
          tempo: 88,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `"Natural" a4:4 b c5 d | e f g a | a g f e | d c b4 a ||
                / "Harmonic" a4 b c5 d | e f g# a | a g# f e | d c b4 a ||
                / "Melodic" a4 b c5 d | e f# g# a | a g f e | d c b4 a`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'seven-modes',
    title: 'Name the seven modes',
    type: 'worksheetText',
    subjects: ['music-theory'],
    grades: ['11', '12', 'university'],
    about: 'The modes on the white keys, to be told apart by their half steps.',
    task: `Each line is a scale of white keys only, from another note each time. Find its half steps, name the mode, and say which
of its notes tells it from the major or minor scale that is closest. Two of them are these scales themselves.

Write one line for each scale: number, mode, and the characteristic note where it has one.`,
    teaching: `Ionian, Dorian (raised sixth), Phrygian (lowered second), Lydian (raised fourth), Mixolydian (lowered seventh),
Aeolian, Locrian (lowered second and fifth). A point for each name and for each of the five notes: Ionian and Aeolian have none,
and of Locrian either counts. Sing them from the same note afterwards: that is when the difference is heard.`,
    maxPoints: 12,
    scores: [
      {
        key: 'score',
        use: 'read',
        score: {
          title: 'Seven scales',
          composer: ours,
          tempo: 92,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `"1" c4:4 d e f | g a b c5 || / "2" d4 e f g | a b c5 d || / "3" e4 f g a | b c5 d e ||
                / "4" f4 g a b | c5 d e f || / "5" g4 a b c5 | d e f g || / "6" a4 b c5 d | e f g a ||
                / "7" b4 c5 d e | f g a b`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'scale-of-sakura',
    title: 'A scale from Japan: Sakura',
    type: 'worksheetText',
    subjects: ['general-music', 'orchestra'],
    grades: ['6', '7', '8'],
    about: 'Find the five notes of which an old Japanese song about cherry blossoms is made.',
    task: `Play or listen to the song. Then collect all the notes that it uses and write them in order, from E upwards: how many are
there, and which notes of the white keys does the song never use?

Write the five notes, and describe in two sentences how the song sounds to you and why.`,
    teaching: `E F A B C: the in scale, with two half steps and two wide gaps; D and G are missing. Students may make up an answer to
the first four measures with these notes.`,
    maxPoints: 8,
    scores: [
      {
        key: 'score',
        use: 'read',
        score: {
          title: 'Sakura',
          composer: 'Traditional, Japan',
          arranger: `Arr. ${ours}`,
          tempo: 72,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `!p a4:4 a b:2 | a:4 a b:2 | !mp a:4 b c5 b4 | a b:8( a) f:2 |
                / e:4 c e f | e e:8( c) b3:2 | a4:4 b c5 b4 | a b:8( a) f:2 |
                / e:4 c e f | e e:8( c) b3:2 | !p a4:4 a b:2 | a:4 a b:2 | / e:4 f b:8( a) f:4 | e:1^`,
              ],
            },
          ],
        },
      },
    ],
  },
]
