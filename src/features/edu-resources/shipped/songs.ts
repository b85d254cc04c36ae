import { ours, type ShippedAssignment } from './shipped-assignment.ts'

const auClair = {
  first: 'c5:4 c c d | e:2 d | c:4 e d d | c:1',
  middle: 'd5:4 d d d | a4:2 a | d5:4 c b4 a | g:1',
}

export const songs: readonly ShippedAssignment[] = [
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
        key: 'score',
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
    teaching: `In F major, from middle C to D. Voices end one after another. A fourth group begins two measures after voice 3.`,
    recording: 'audio',
    scores: [
      {
        key: 'score',
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
        key: 'score',
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
        key: 'solution',
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
        key: 'score',
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
]
