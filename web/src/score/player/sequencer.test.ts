import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSequencer, type Instrument } from './sequencer.ts'
import { kinds, type SongEvent } from './song.ts'

const at = (seconds: number, kind: number, first: number, second = 0, part = 0): SongEvent => ({
  ...{ seconds, part, channel: part, kind, first, second },
})
/** One note a second: 60 at 0 s, 61 at 1 s, and so on. The second part plays the same an octave lower. */
const events = [0, 1, 2, 3].flatMap((second) => [
  ...(second > 0 ? [0, 1].map((part) => at(second, kinds.noteOff, 59 + second - 12 * part, 0, part)) : []),
  ...[0, 1].map((part) => at(second, kinds.noteOn, 60 + second - 12 * part, 80, part)),
])
const beats = [0, 1, 2, 3].map((seconds) => ({ seconds, isFirst: seconds % 2 === 0 }))
const program = { events, beats, durationSeconds: 4 }

/** Notes what the sequencer plays: `+60@1` is key 60 at 1 s of the listener. */
function recorded(song = program) {
  const heard: string[] = []
  let now = 0
  const note = (text: string) => heard.push(`${text}@${Math.round(now * 100) / 100}`)
  const instrument: Instrument = {
    send(_channel, kind, first, second) {
      if (kind === kinds.noteOn) note(`+${first}${second === 80 ? '' : `v${second}`}`)
      else if (kind === kinds.noteOff) note(`-${first}`)
      else note(`${kind.toString(16)}:${first}=${second}`)
    },
    silence: () => note('silence'),
    click: (isFirst) => note(isFirst ? 'CLICK' : 'click'),
  }
  const sequencer = createSequencer(song, instrument)
  return {
    sequencer,
    heard,
    /** Lets the time of the listener pass, in steps of 1/8 s. */
    pass(seconds: number): string[] {
      heard.length = 0
      for (let step = 0; step < seconds * 8; step++) {
        sequencer.advance(1 / 8)
        now += 1 / 8
      }
      return [...heard]
    },
  }
}

const starts = (heard: readonly string[]) => heard.filter((one) => /^\+/.test(one))

describe('a sequencer', () => {
  it('plays nothing until it is told to, and then each event at its time', () => {
    const { sequencer, pass } = recorded()
    expect(pass(1)).toEqual([])
    sequencer.play()
    expect(starts(pass(1.5))).toEqual(['+60@1', '+48@1', '+61@2', '+49@2'])
    expect(sequencer.position).toBe(1.5)
  })

  it('plays a note alone while the music rests, in the sound of its part, and ends it', () => {
    const { sequencer, pass } = recorded()
    sequencer.seek(2)
    pass(0)
    sequencer.strike([{ part: 1, key: 50, start: 2 }])
    expect(pass(1)).toEqual(['-50@0.75'])
    expect(sequencer.position).toBe(2)
    sequencer.strike([{ part: 1, key: 50, start: 2 }])
    sequencer.strike([{ part: 0, key: 62, start: 2 }])
    expect(pass(1)).toEqual(['-62@1.75'])
  })

  it.each([
    ['a note of the music', { part: 1, key: 50, start: 2 }, '+50'],
    ['the printed key of an ornament', { part: 0, key: 70, start: 2.5 }, '+70'],
  ])('strikes %s', (_, note, expected) => {
    const { sequencer, heard } = recorded()
    sequencer.seek(2)
    heard.length = 0
    sequencer.strike([note])
    expect(heard).toEqual([`${expected}@0`])
  })

  it('strikes nothing into the music that plays, nor of a part without notes', () => {
    const { sequencer, heard } = recorded()
    sequencer.strike([{ part: 7, key: 60, start: 0 }])
    sequencer.play()
    sequencer.strike([{ part: 0, key: 60, start: 0 }])
    expect(heard).toEqual([])
  })

  it('plays at half the tempo without another order', () => {
    const { sequencer, pass } = recorded()
    sequencer.setTempo(0.5)
    sequencer.play()
    expect(starts(pass(4))).toEqual(['+60@0', '+48@0', '+61@2', '+49@2'])
    expect(sequencer.position).toBe(2)
  })

  it('repeats a passage until the loop ends, without losing time', () => {
    const { sequencer, pass } = recorded()
    sequencer.setLoop({ start: 1, end: 2.5 })
    sequencer.seek(1)
    sequencer.play()
    const soprano = (heard: readonly string[]) => heard.filter((one) => one.startsWith('+6'))
    expect(soprano(pass(5))).toEqual(['+61@0', '+62@1', '+61@1.5', '+62@2.5', '+61@3', '+62@4', '+61@4.5'])
    sequencer.setLoop(undefined)
    expect(soprano(pass(1.5))).toEqual(['+62@5.5'])
    expect(sequencer.position).toBeCloseTo(3, 6)
  })

  it('stops at the end, and starts from the beginning again', () => {
    const { sequencer, pass } = recorded()
    sequencer.seek(3)
    sequencer.play()
    pass(3)
    expect([sequencer.isPlaying, sequencer.position]).toEqual([false, 4])
    sequencer.play()
    expect(starts(pass(0.5))).toEqual(['+60@3', '+48@3'])
  })

  it('leaves out the notes of a silent part, and ends those that sound', () => {
    const { sequencer, pass } = recorded()
    sequencer.play()
    pass(0.5)
    sequencer.setLevels([0, 0.5])
    expect(pass(1)).toEqual(['-60@1', '-48@1', '+49v40@1'])
  })

  it('clicks with the beats if the metronome is on', () => {
    const { sequencer, pass } = recorded()
    sequencer.setMetronome(true)
    sequencer.play()
    expect(pass(2.5).filter((one) => /click/i.test(one))).toEqual(['CLICK@0', 'click@1', 'CLICK@2'])
  })

  it('counts in at the tempo of the listener, and then starts the music', () => {
    const { sequencer, pass } = recorded()
    sequencer.setTempo(2)
    sequencer.play({ beats: 2, interval: 1 })
    const heard = pass(1.5)
    expect(heard.filter((one) => /click|\+6/i.test(one))).toEqual(['CLICK@0', 'click@0.5', '+60@1'])
    expect(sequencer.position).toBe(1)
  })

  it('restores programs, controllers and bends when it jumps, in the order that they need, and plays no earlier note', () => {
    const song = [
      ...[at(0, kinds.control, 0, 8), at(0, kinds.program, 40), at(0, kinds.control, 7, 100)],
      ...[at(0, kinds.control, 101, 0), at(0, kinds.control, 100, 0), at(0, kinds.control, 6, 12)],
      ...[at(0, kinds.noteOn, 60, 80), at(1, kinds.control, 7, 50), at(1, kinds.bend, 0, 70)],
    ]
    const sent: string[] = []
    const sequencer = createSequencer(
      { events: song, beats: [], durationSeconds: 3 },
      {
        send: (_channel, kind, first, second) => sent.push(`${kind.toString(16)} ${first} ${second}`),
        silence: () => sent.push('silence'),
        click() {},
      },
    )
    sequencer.seek(2)
    expect(sent).toEqual(['silence', 'b 101 0', 'b 100 0', 'b 6 12', 'b 0 8', 'c 40 0', 'b 7 50', 'e 0 70'])
  })

  it('plays each note once, however the time is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.001, max: 1.5, noNaN: true }), { maxLength: 40 }), (steps) => {
        const keys: number[] = []
        const sequencer = createSequencer(program, {
          send: (_channel, kind, first) => {
            if (kind === kinds.noteOn) keys.push(first)
          },
          silence() {},
          click() {},
        })
        sequencer.play()
        for (const step of steps) sequencer.advance(step)
        const total = steps.reduce((sum, step) => sum + step, 0)
        const expected = events.filter(({ kind, seconds }) => kind === kinds.noteOn && seconds < total - 1e-9)
        expect(keys.length).toBeGreaterThanOrEqual(expected.length)
        expect(keys.length).toBe(new Set(keys).size)
      }),
    )
  })
})
