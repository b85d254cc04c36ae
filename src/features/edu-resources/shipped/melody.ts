import { ours, type ShippedAssignment } from './shipped-assignment.ts'

const auClair = {
  first: 'c5:4 c c d | e:2 d | c:4 e d d | c:1',
  middle: 'd5:4 d d d | a4:2 a | d5:4 c b4 a | g:1',
}

export const melody: readonly ShippedAssignment[] = [
  {
    key: 'three-major-scales',
    title: 'Three major scales for violin',
    type: 'performance',
    subjects: ['orchestra'],
    grades: ['5', '6', '7'],
    about: 'G, D and A major in one octave, up and down, in first position.',
    task: `Say the sharps of each scale before you play it. Where are the half steps? Your fingers touch there.

Record the three scales one after another, a whole bow for each half measure first, then one for each note.`,
    teaching: `A major needs a high second finger on the E string (G sharp). For other instruments transpose the score, or play
the scales in rounds, two notes apart.`,
    recording: 'audio',
    scores: [
      {
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
of its notes tells it from the major or minor scale that is closest.

Write one line for each scale: number, mode, characteristic note.`,
    teaching: `Ionian, Dorian (raised sixth), Phrygian (lowered second), Lydian (raised fourth), Mixolydian (lowered seventh),
Aeolian, Locrian (lowered second and fifth). Sing them from the same note afterwards: that is when the difference is heard.`,
    maxPoints: 14,
    scores: [
      {
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
    key: 'ode-to-joy',
    title: 'Play: Ode to Joy',
    type: 'performance',
    subjects: ['general-music', 'band'],
    grades: ['3', '4'],
    about: 'The melody from Beethoven’s ninth symphony with five notes and one more, for any instrument.',
    task: `Almost all notes of this melody are neighbours. Find the one place where it jumps down far.

Learn it line by line. Lines 1, 2 and 4 begin alike: what is different at their ends? Record the whole melody.`,
    teaching: `In G major, from D to D. The last measure of line 3 jumps down to D. The anticipation before the last line is left
out here, as in most editions for beginners.`,
    recording: 'audio',
    scores: [
      {
        use: 'performance',
        score: {
          title: 'Ode to Joy',
          subtitle: 'From the ninth symphony',
          composer: 'Ludwig van Beethoven',
          arranger: `Arr. ${ours}`,
          key: 1,
          mode: 'major',
          tempo: 104,
          parts: [
            {
              instrument: 'flute',
              staves: [
                `!mf b4:4 b c5 d | d c b4 a | g g a b | b:4. a:8 a:2 |
                / b:4 b c5 d | d c b4 a | g g a b | a:4. g:8 g:2 |
                / !p a:4 a b g | a b:8( c5) b4:4 g | a b:8( c5) b4:4 a | g a d:2 |
                / !f b4:4 b c5 d | d c b4 a | g g a b | a:4. g:8 g:2`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'frere-jacques-round',
    title: 'Sing a round: Frère Jacques',
    type: 'performance',
    subjects: ['choir', 'general-music'],
    grades: ['2', '3', '4', '5'],
    about: 'The round in three voices, written out so that everybody sees when to come in.',
    task: `Learn the song with everybody together. Then choose a voice and sing it with the recording: voice 2 begins when voice 1
sings “Dormez-vous”, voice 3 two measures later.

Listen to the others while you sing. Can you still hear your own voice?`,
    teaching: `In F major, from middle C to D. Voices end one after another. With a fourth group, let voice 1 begin again instead of
resting.`,
    recording: 'audio',
    scores: [
      {
        use: 'performance',
        score: {
          title: 'Frère Jacques',
          subtitle: 'A round',
          composer: 'Traditional, France',
          arranger: `Arr. ${ours}`,
          key: -1,
          mode: 'major',
          tempo: 108,
          parts: [0, 1, 2].map((voice) => ({
            instrument: 'voice' as const,
            name: `Voice ${voice + 1}`,
            staves: [
              `${'R | '.repeat(2 * voice)} f4:4 g a f | f g a f | a bb c5:2 | a4:4 bb c5:2 |
              c5:8 d c bb4 a:4 f | c5:8 d c bb4 a:4 f | f c4 f:2 | f:4 c f:2 ${' | R'.repeat(4 - 2 * voice)}`,
            ],
            lyrics: `Frè- -re Jac- -ques, Frè- -re Jac- -ques, Dor- -mez- -vous? Dor- -mez- -vous?
              Son- -nez les ma- -ti- -nes, Son- -nez les ma- -ti- -nes, Din, dan, don, Din, dan, don.`,
          })),
        },
      },
    ],
  },
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
  {
    key: 'transpose-for-trumpet',
    title: 'Transpose for the trumpet',
    type: 'scoreTemplate',
    subjects: ['band', 'music-theory'],
    grades: ['8', '9', '10', '11'],
    about: 'A French song for flute, to be written for the trumpet in B flat so that both sound alike.',
    task: `The trumpet in B flat sounds a whole step lower than it is written. Write the flute’s melody for it so that both sound at
the same pitch.

The key signature is there already: why has the trumpet two sharps? Play both together to check: you should hear one voice.`,
    teaching: `Everything goes up a whole step, into written D major. The commonest mistake is a missing C sharp in measure 7, which
the key signature should prevent. The key is attached for you alone.`,
    maxPoints: 12,
    scores: [
      {
        use: 'copy',
        score: {
          title: 'Au clair de la lune',
          composer: 'Traditional, France',
          arranger: `Arr. ${ours}`,
          mode: 'major',
          tempo: 96,
          parts: [
            { instrument: 'flute', staves: [`${auClair.first} | ${auClair.middle} | ${auClair.first}`] },
            { instrument: 'trumpet', staves: [Array.from({ length: 12 }, () => 'R').join(' | ')] },
          ],
        },
      },
      {
        use: 'teacherOnly',
        score: {
          title: 'Au clair de la lune: key',
          composer: 'Traditional, France',
          arranger: `Arr. ${ours}`,
          mode: 'major',
          tempo: 96,
          parts: [
            { instrument: 'flute', staves: [`${auClair.first} | ${auClair.middle} | ${auClair.first}`] },
            {
              instrument: 'trumpet',
              staves: [
                `d5:4 d d e | f#:2 e | d:4 f# e e | d:1 | e:4 e e e | b4:2 b | e5:4 d c# b4 | a:1 |
                d5:4 d d e | f#:2 e | d:4 f# e e | d:1`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'form-of-a-song',
    title: 'Find the form of a song',
    type: 'worksheetText',
    subjects: ['general-music', 'music-theory'],
    grades: ['5', '6', '7'],
    about: 'Four phrases, of which three are alike: a first look at form.',
    task: `The song has four phrases, one on each line. Give each phrase a letter: the first is A. A phrase that is the same gets the
same letter, a new one the next letter.

Write the four letters, and one sentence about what makes the other phrase different: where does it go, and how does it end?`,
    teaching: `A A B A. The third phrase stays on D, goes down and ends on G, which is not the home note; it makes us want the A back.
Let the class find other songs of this form.`,
    maxPoints: 6,
    scores: [
      {
        use: 'read',
        score: {
          title: 'Au clair de la lune',
          composer: 'Traditional, France',
          arranger: `Arr. ${ours}`,
          mode: 'major',
          tempo: 100,
          parts: [
            {
              instrument: 'flute',
              staves: [[auClair.first, auClair.first, auClair.middle, auClair.first].join(' | / ')],
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
