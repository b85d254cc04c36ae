import { type NoteTime, noteTimesOf } from '../../timeline/note-times.ts'
import { format } from '../format.ts'

/** When each printed note sounds, as JSON in which a note is a short list. */
export const noteTimes = format({
  title: 'note times',
  export: {
    name: 'noteTimes',
    mediaType: 'application/json',
    extension: 'notes.json',
    write(document) {
      const { parts, ...times } = noteTimesOf(document)
      const compact = parts.map(({ uuid, notes }) => ({ uuid, notes: notes.map(compactNote) }))
      return new TextEncoder().encode(JSON.stringify({ ...times, parts: compact }))
    },
  },
})

const compactNote = ({ start, end, key, places }: NoteTime) => [
  start,
  end,
  key,
  ...places.map(({ measure, index }) => [measure, index]),
]
