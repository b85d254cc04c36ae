import { ours, type ShippedAssignment } from './shipped-assignment.ts'

export const rhythm: readonly ShippedAssignment[] = [
  {
    key: 'clap-quarters-and-eighths',
    title: 'Clap quarters and eighths',
    type: 'performance',
    subjects: ['general-music'],
    grades: ['1', '2', '3'],
    about: 'Eight measures of quarter and eighth notes to clap, for the first weeks of reading rhythm.',
    task: `Tap a steady beat with your foot. Say the rhythm first: “ta” for a quarter note, “ti-ti” for two eighth notes.

Then clap it with the metronome and record yourself. If you get lost, wait for the next measure and come in again.`,
    teaching: `Let the class echo each measure before they read it. A steady beat counts for more than every note; the last
measure has a half note, which is clapped once and held with the hands together.`,
    recording: 'audio',
    allows: ['metronome'],
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Clap quarters and eighths',
          composer: ours,
          tempo: 80,
          parts: [
            {
              instrument: 'claps',
              staves: [
                `x:4 x x x | x:8 x x:4 x:8 x x:4 | x x:8 x x:4 x | x:8 x x x x:4 x |
                / x:4 x x:8 x x:4 | x:8 x x:4 x x | x:8 x x x x x x:4 | x x x:2`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'rests-that-count',
    title: 'Rests that count',
    type: 'performance',
    subjects: ['general-music', 'band'],
    grades: ['3', '4', '5'],
    about: 'A rhythm in which the silence matters as much as the sound: quarter and half rests.',
    task: `Count aloud: one, two, three, four. Whisper the numbers on which there is a rest, and turn your palms up there.

Record the rhythm twice: once counting aloud, once only thinking the numbers.`,
    teaching: `Rests are where most beginners hurry. Listen for the entry after the half rest in measure 6. Half of the class
may keep the beat while the other half claps.`,
    recording: 'audio',
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Rests that count',
          composer: ours,
          tempo: 84,
          parts: [
            {
              instrument: 'claps',
              staves: [
                `x:4 r x r | x x r x | r x r x | x:8 x r:4 x r |
                / x:2 r:4 x | r:2 x:4 x | x:8 x r:4 x:8 x r:4 | x x x r`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'dotted-rhythms',
    title: 'Dotted rhythms on the snare drum',
    type: 'performance',
    subjects: ['band', 'orchestra'],
    grades: ['6', '7', '8'],
    about: 'Dotted quarter and dotted eighth notes side by side, to tell them apart.',
    task: `Before you play, find every dotted quarter note and every dotted eighth note, and count the eighth or sixteenth notes
under them.

Play with the metronome: first at 60, then at the marked tempo. Record the second.`,
    teaching: `The short note after a dotted eighth must not come early and turn into a triplet. Let students count “1 e and a”
through measures 4, 6 and 7.`,
    recording: 'audio',
    allows: ['metronome', 'speedChange'],
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Dotted rhythms',
          subtitle: 'For snare drum',
          composer: ours,
          tempo: 88,
          parts: [
            {
              instrument: 'snare',
              staves: [
                `!mf x:4. x:8 x:4 x | x:4. x:8 x:2 | x:4 x:4. x:8 x:4 | x:8. x:16 x:8. x:16 x:4 x |
                / !f x:4. x:8 x:4. x:8 | x:8. x:16 x:4 x:4. x:8 | x x x:8. x:16 x:4 x | x:4. x:8 x:2>`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'off-the-beat',
    title: 'Off the beat: syncopation',
    type: 'performance',
    subjects: ['jazz-ensemble', 'band'],
    grades: ['8', '9', '10'],
    about: 'Eight measures of syncopated rhythm, from one displaced accent to a whole measure off the beat.',
    task: `Tap quarter notes with your foot and do not let them go. Clap the written rhythm above them: most of the long notes
begin between the beats.

Practise measures 4 and 5 on their own, then record everything without stopping.`,
    teaching: `If the foot follows the hands, have one student play the beat on a hi-hat or table. With a jazz ensemble, play it
again with swung eighth notes and compare.`,
    recording: 'video',
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'performance',
        score: {
          title: 'Off the beat',
          composer: ours,
          tempo: 96,
          parts: [
            {
              instrument: 'claps',
              staves: [
                `x:8 x:4 x:8 x:4 x | x:8 x:4 x:8 x x:4 x:8 | x:4 x:8 x:4 x:8 x:4 | x:8 x:4 x x x:8 |
                / r x x:4 r:8 x x:4 | x:8 x:4 x:8 r x x:4 | x:8 x:4 x x:8 x:4 | x:8 x:4 x:8 x:2`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'clapping-canon',
    title: 'Write a clapping canon together',
    type: 'sharedWriting',
    subjects: ['general-music', 'composition'],
    grades: ['4', '5', '6'],
    about: 'Two or three students finish a rhythm and turn it into a canon that they can perform.',
    task: `Player 1 has four measures. Finish the other four together. Leave some rests, so that the other player can be heard.

Then write the same rhythm for player 2, two measures later: the rhythm of measure 1 goes into measure 3, and so on. If you are
three, player 3 begins two measures after player 2; else leave that line empty. Clap your canon for the class.`,
    teaching: `Divide the class into groups of two or three and give the assignment to these: each group writes a score of its own.
Given to everyone, the whole class would write one. The canon works with whatever rhythm is written; it is heard best where one player rests
while the other moves. Let groups perform one another’s canons.`,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Our clapping canon',
          tempo: 92,
          parts: [
            {
              instrument: 'claps',
              name: 'Player 1',
              staves: [`x:4 x x:8 x x:4 | x:8 x x x x:4 r | x r x:8 x x:4 | x:2 x:4 r | / R | R | R | R`],
            },
            ...['Player 2', 'Player 3'].map((name) => ({
              instrument: 'claps' as const,
              name,
              staves: [`R | R | R | R | / R | R | R | R`],
            })),
          ],
        },
      },
    ],
  },
  {
    key: 'lost-notes',
    title: 'The lost notes',
    type: 'worksheet',
    subjects: ['music-theory', 'general-music'],
    grades: ['4', '5', '6'],
    about: 'In every measure a note was lost. Students put one back that has the right length.',
    task: `Where you see a rest, a note was lost. Put one single note in its place that is as long as the rest. Choose its pitch so
that you like the melody.

The time signature changes in the second line: how many beats does a measure have there?`,
    teaching: `Every note that fills the gap is right; ask why a pitch was chosen. Measure 4 needs a half note, measure 8 a dotted
half note, all others a quarter note.`,
    maxPoints: 8,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'The lost notes',
          key: 1,
          composer: ours,
          tempo: 92,
          parts: [
            {
              instrument: 'piano',
              clefs: ['treble'],
              staves: [
                `g4:4 a r b | c5:2 r:4 a4 | g:8 a r:4 b:2 | r:2 a:4 g |
                / time:3/4 g4:4 r b | c5:2 r:4 | r:4 b4 a | r:2.`,
              ],
            },
          ],
        },
      },
    ],
  },
]
