import { maxRecordingBytes } from '../../../../src/contract/recording-files.ts'
import { findMark, markAt } from './mark.ts'

/** A recording that the browser has made. */
export interface Captured {
  readonly blob: Blob
  /** How long it is. */
  readonly seconds: number
  /** Returns the second of the recording in which a sound reached the microphone, by the time of the audio clock. */
  timeOf(clock: number): number
}

export interface Capture {
  /** The clock of the recording. */
  readonly context: AudioContext
  /** Ends the recording. A second call returns the same. */
  stop(): Promise<Captured>
}

/** Bits a second. Music needs more than speech, and a video of 100 MiB has 13 minutes. */
const bitRates = { audioBitsPerSecond: 96_000, videoBitsPerSecond: 900_000 } as const

/** Milliseconds after which the recorder gives out what it has. */
const sliceMs = 1000

/** What the mark is looked for in: the first slices. */
const markSlices = 3

const audioTypes = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'] as const
const videoTypes = ['video/webm;codecs=vp8,opus', 'video/mp4'] as const

/** Whether the browser can record. Without TLS it has no microphone. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' && navigator.mediaDevices?.getUserMedia !== undefined

/**
 * Asks for the microphone. What browsers do for speech would take sounds of instruments for noise.
 * @throws DOMException
 */
export const openMicrophone = (hasCamera: boolean): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    video: hasCamera && { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 24 } },
  })

/**
 * Starts to record.
 * @param context the audio clock: that of the player, if somebody plays along
 * @param onFull called when the recording has nearly the largest size that the server takes
 */
export async function startCapture(
  stream: MediaStream,
  context: AudioContext,
  onFull: () => void,
): Promise<Capture> {
  const [microphone] = stream.getAudioTracks()
  const source = context.createMediaStreamSource(stream)
  const target = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
  source.connect(target)
  const pictures = stream.getVideoTracks()
  const types = pictures.length > 0 ? videoTypes : audioTypes
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(new MediaStream([...target.stream.getAudioTracks(), ...pictures]), {
    ...bitRates,
    ...(mimeType && { mimeType }),
  })
  const slices: Blob[] = []
  let size = 0
  recorder.ondataavailable = ({ data }) => {
    slices.push(data)
    size += data.size
    if (size > 0.97 * maxRecordingBytes) onFull()
  }
  await new Promise((resolve, reject) => {
    recorder.onstart = resolve
    recorder.onerror = reject
    recorder.start(sliceMs)
  })
  const startedAt = context.currentTime
  const markedAt = startedAt + 0.05
  playMark(context, target, markedAt)
  const latency = (microphone?.getSettings() as { latency?: number } | undefined)?.latency ?? 0
  let captured: Promise<Captured> | undefined

  async function finish(): Promise<Captured> {
    const seconds = context.currentTime - startedAt
    await new Promise((resolve) => {
      recorder.onstop = resolve
      recorder.stop()
    })
    source.disconnect()
    const mark = await markIn(new Blob(slices.slice(0, markSlices)))
    const zero = mark === undefined ? startedAt : markedAt - mark
    return {
      blob: new Blob(slices, { type: recorder.mimeType }),
      seconds,
      timeOf: (clock) => clock + latency - zero,
    }
  }
  return {
    context,
    stop() {
      captured ??= finish()
      return captured
    },
  }
}

/** Plays the mark into the recording only. */
function playMark(context: AudioContext, target: AudioNode, at: number): void {
  const samples = markAt(context.sampleRate)
  const buffer = context.createBuffer(1, samples.length, context.sampleRate)
  buffer.copyToChannel(samples, 0)
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(target)
  source.start(at)
}

const markRate = 24_000

/** Finds the mark in the start of a recording. Undefined also if the browser cannot decode a part of a recording. */
async function markIn(start: Blob): Promise<number | undefined> {
  try {
    const decoder = new OfflineAudioContext({ numberOfChannels: 1, length: 1, sampleRate: markRate })
    const sound = await decoder.decodeAudioData(await start.arrayBuffer())
    return findMark(sound.getChannelData(0), markRate)
  } catch {
    return undefined
  }
}
