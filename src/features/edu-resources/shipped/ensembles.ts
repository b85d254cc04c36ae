import { ours, type ShippedAssignment } from './shipped-assignment.ts'

export const ensembles: readonly ShippedAssignment[] = [
  {
    key: 'swing-riff',
    title: 'Play a swing riff',
    type: 'performance',
    subjects: ['jazz-ensemble'],
    grades: ['7', '8', '9'],
    about: 'Eight measures for trumpet that call and answer, to learn swung eighth notes.',
    task: `Swing the eighth notes: the first of two is longer, the second lighter. Sing the riff before you play it.

The two accented notes at the end are short. Leave the rests empty. Record yourself with the metronome on the second and fourth
beats.`,
    teaching: `Written for trumpet in B flat, so the riff sounds in B flat major, with a blue note in measures 4 and 7. Play measure 1 and
let the ensemble answer with measure 2.`,
    recording: 'audio',
    allows: ['metronome'],
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Swing riff',
          composer: ours,
          key: -2,
          mode: 'major',
          tempo: 126,
          parts: [
            {
              instrument: 'trumpet',
              staves: [
                `"Swing" !mf r:8 g4 a:4 c5 a4 | c5:8 a4 g:4 r:2 | r:8 g a:4 c5 d | eb:8 d c:4 r:2 |
                / r:8 g4 a:4 c5 a4 | c5:8 a4 g:4 r:2 | !f g:8 a c5 d eb d c a4 | c5:4>' r c>' r`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'quartet-chorale',
    title: 'Tune a chorale for strings',
    type: 'performance',
    subjects: ['orchestra'],
    grades: ['7', '8', '9', '10'],
    about: 'Eight measures in four voices for slow practice of intonation and bowing together.',
    task: `Play your part slowly, with whole bows. Hold every chord until it rings, then go on.

Record your part with the other three sounding from the score. In which measures is your note the third of a major chord? Play it a
little lower there. In measure 6, whose chords are minor, play the third a little higher.`,
    teaching: `The cello decides: tune fifths and octaves to it first, then thirds. In measure 1 the first violin has the third of
the first chord and the viola that of the second; the viola has it in the last chord as well. Measure 6 is E minor and A minor: the second violin has the first third, the viola the second. Breathe
together at measure 4.`,
    recording: 'audio',
    allows: ['backingTrack'],
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Chorale for tuning',
          composer: ours,
          key: 1,
          mode: 'major',
          tempo: 60,
          parts: [
            {
              instrument: 'violin',
              name: 'Violin I',
              staves: ['!p b4:2 c5 | d d | d e | d:1^ | / d:2 d | e e | d a4 | g:1^'],
            },
            {
              instrument: 'violin',
              name: 'Violin II',
              staves: ['!p g4:2 g | g f# | g g | f#:1^ | g:2 a | g a | f# f# | g:1^'],
            },
            { instrument: 'viola', staves: ['!p d4:2 e | d a3 | b c4 | a3:1^ | b:2 a | b c4 | a3 c4 | b3:1^'] },
            { instrument: 'cello', staves: ['!p g3:2 c | b2 d3 | g2 c3 | d:1^ | g2:2 f# | e a | d3 d | g2:1^'] },
          ],
        },
      },
    ],
  },
  {
    key: 'choir-warm-up',
    title: 'Warm up the voice',
    type: 'performance',
    subjects: ['choir'],
    grades: ['5', '6', '7', '8'],
    about: 'Five notes up and down, a half step higher each time: a warm-up that students can do at home.',
    task: `Stand, let your shoulders fall, and breathe in silently. Sing on “noo”, all notes of a line in one breath.

Each line is a half step higher. Stop where it is no longer easy. Record the last line that felt comfortable.`,
    teaching: `From C to B flat. Listen for an even tone through the top note; “noo” keeps it light. Let low voices sing an octave
lower.`,
    recording: 'audio',
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Warm-up on five notes',
          composer: ours,
          mode: 'major',
          tempo: 80,
          parts: [
            {
              instrument: 'voice',
              staves: [
                `"noo" c4:8( d e f g f e d) | c:1 | / key:-5 db:8( eb f gb ab gb f eb) | db:1 |
                / key:2 d:8( e f# g a g f# e) | d:1 | / key:-3 eb:8( f g ab bb ab g f) | eb:1`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'listening-diary',
    title: 'A listening diary',
    type: 'none',
    subjects: ['other', 'general-music'],
    grades: ['6', '7', '8', '9', '10', '11', '12'],
    about: 'Three pieces in a week, and a few sentences about each.',
    task: `Listen to three pieces this week that you did not know: one that a friend likes, one that is older than a hundred years, and
one from another part of the world.

Write for each: what you heard first, what changed, and whether you would listen again. Hand in a link to your notes.`,
    teaching: `Ask for what can be heard rather than for praise or blame: instruments, tempo, loud and soft, repetition. Reading
some entries aloud makes a good beginning of a lesson.`,
  },
  {
    key: 'practice-plan',
    title: 'Plan a week of practice',
    type: 'none',
    subjects: ['other', 'band', 'orchestra'],
    grades: ['9', '10', '11', '12', 'university'],
    about: 'Students plan their practice, keep to it for a week, and say what they have learned about it.',
    task: `Choose one passage of eight measures at most that is hard for you. Say exactly what is hard about it: notes, rhythm, speed,
tone.

Plan five sessions of ten minutes with one goal each. After each session write one sentence. At the end of the week: what worked,
and what will you do differently?`,
    teaching: `Short passages and exact goals are the point. Let students play the passage before and after the week.`,
  },
]
