import { ours, type ShippedAssignment } from './shipped-assignment.ts'

const bars = (count: number) => Array.from({ length: count }, () => 'R').join(' | ')

export const composing: readonly ShippedAssignment[] = [
  {
    key: 'five-notes',
    title: 'A melody of five notes',
    type: 'newScore',
    subjects: ['composition', 'general-music'],
    grades: ['3', '4', '5'],
    about: 'A first composition: eight measures with the notes C, D, E, G and A.',
    task: `Begin a new score for an instrument that you like. Write eight measures in 4/4 with the notes C, D, E, G and A only. Use
quarter notes and half notes.

End on C. Let measures 5 and 6 be the same as measures 1 and 2, so that we recognize them. Give your melody a name.`,
    teaching: `With these five notes everything sounds well together: play two melodies of the class at the same time. Praise the
return in measure 5.`,
  },
  {
    key: 'question-and-answer',
    title: 'Question and answer',
    type: 'scoreTemplate',
    subjects: ['composition', 'music-theory'],
    grades: ['7', '8', '9'],
    about: 'The first phrase of a melody asks; students write the phrase that answers.',
    task: `The first four measures end on A: that sounds like a question. Write four measures that answer it.

Begin like the question, go your own way in the third measure, and end on D. Use no rhythm that the question does not have.`,
    teaching: `A parallel period: measure 5 repeats measure 1. Students who are quick may write a second answer that begins with the
question upside down.`,
    maxPoints: 10,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Question and answer',
          composer: ours,
          key: 2,
          mode: 'major',
          tempo: 92,
          parts: [
            {
              instrument: 'violin',
              staves: [`"Question" d4:4 f# a a | b a g:2 | f#:4 a g e | a:2. r:4 | / "Answer" ${bars(4)}`],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'vary-a-theme',
    title: 'Vary a theme',
    type: 'scoreTemplate',
    subjects: ['composition'],
    grades: ['6', '7', '8'],
    about: 'The tune that Mozart wrote twelve variations on, with room for one more.',
    task: `The first twelve measures are the theme. Write a variation of it into the twelve that follow.

Choose one idea and keep to it: neighbours around each note, a running left hand, a march, or minor instead of major. The theme
should still be heard.`,
    teaching: `Let students listen to two of Mozart’s variations (K. 265) first and name the idea of each. Measures 5 to 8 may stay
simple: contrast is welcome there.`,
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Ah ! vous dirai-je, Maman',
          composer: 'Traditional, France',
          arranger: `Arr. ${ours}`,
          mode: 'major',
          tempo: 100,
          parts: [
            {
              instrument: 'piano',
              staves: [
                `"Theme" c4:4 c g g | a a g:2 | f:4 f e e | d d c:2 | / g:4 g f f | e e d:2 | g:4 g f f | e e d:2 |
                / c:4 c g g | a a g:2 | f:4 f e e | d d c:2 || / "Variation" ${bars(4)} | / ${bars(4)} | / ${bars(4)}`,
                `c3:2 e | f e | d c | g2 c3 | e d | c b2 | e3 d | c g2 |
                c3 e | f e | d c | g2 c3 || ${bars(12)}`,
              ],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'class-song',
    title: 'A song that the class writes',
    type: 'sharedWriting',
    subjects: ['composition', 'choir'],
    grades: ['4', '5', '6', '7'],
    about: 'Groups set four lines of their own words to music, in one score.',
    task: `Write four short lines about your school. Speak them in rhythm, and clap: which syllables are long?

Set the first line to the given rhythm, then write the other three. Enter the words under the notes. All of you write in the same
score, so agree who writes which line.`,
    teaching: `Divide the class into groups of four or so and give the assignment to these: each group writes a score of its own.
Given to everyone, the whole class would write one. The given measure is only a beginning; groups may change it. Keep to the notes of F major from C to D, so that
everybody can sing the result.`,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Our song',
          key: -1,
          mode: 'major',
          tempo: 100,
          parts: [
            {
              instrument: 'voice',
              staves: [`f4:4 f a c5 | ${bars(3)} | / ${bars(4)} | / ${bars(4)} | / ${bars(4)}`],
            },
          ],
        },
      },
    ],
  },
  {
    key: 'four-bar-beat',
    title: 'Program a four-bar beat',
    type: 'newScore',
    subjects: ['music-technology', 'composition'],
    grades: ['6', '7', '8', '9'],
    about: 'Students build a drum pattern from three sounds and one change at its end.',
    task: `Begin a new score for drum set. Write one measure with bass drum, snare drum and closed hi-hat: the hi-hat in eighth notes,
the snare on beats 2 and 4, the bass drum where you like.

Copy it three times. Then change the second half of measure 4 into a fill that leads back to the beginning. Repeat all four
measures.`,
    teaching: `Loop the results and let others improvise over them. Ask what happens when the bass drum leaves beat 1.`,
    maxPoints: 10,
  },
  {
    key: 'layers-on-a-loop',
    title: 'Layers on a loop',
    type: 'scoreTemplate',
    subjects: ['music-technology'],
    grades: ['8', '9', '10', '11'],
    about: 'Four chords in a loop, to which students add a melody and a rhythm, as producers do.',
    task: `The piano plays a loop of four measures. Add two layers: a melody for flute with long notes, and a rhythm for the snare
drum with rests in it.

Then decide how the layers come in: copy the loop so that it is heard four times, and let a layer begin or stop each time. Export
it as audio and listen on other speakers.`,
    teaching: `A minor, F, C, G. The melody is easiest with notes of each chord on the first beat. Listen for space: a layer that
rests makes the others heard.`,
    maxPoints: 20,
    scores: [
      {
        key: 'score',
        use: 'copy',
        score: {
          title: 'Layers on a loop',
          composer: ours,
          mode: 'minor',
          tempo: 112,
          parts: [
            { instrument: 'flute', name: 'Melody', staves: [bars(4)] },
            { instrument: 'snare', name: 'Rhythm', staves: [bars(4)] },
            {
              instrument: 'piano',
              name: 'Loop',
              staves: [
                'a3+c4+e4:1 | a3+c4+f4 | g3+c4+e4 | g3+b3+d4',
                'a2:4 a3:8 a2 e3:4 a2 | f f3:8 f2 c3:4 f2 | c3:4 c4:8 c3 g:4 c | g2 g3:8 g2 d3:4 g2',
              ],
            },
          ],
        },
      },
    ],
  },
]
