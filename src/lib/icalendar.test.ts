import { describe, expect, it } from 'vitest'
import { icalendarOf } from './icalendar.ts'

describe('icalendarOf', () => {
  const moment = {
    uid: '1@example.com',
    at: Date.UTC(2026, 10, 27, 18, 30, 5, 123),
    changedAt: Date.UTC(2026, 10, 23),
    summary: 'Scale',
    description: 'Strings 4b',
    url: 'https://example.com/a',
  }

  it('writes an event with times in UTC and lines that end with CR LF', () => {
    expect(icalendarOf('School', [moment])).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Partita//Partita//EN',
        'X-WR-CALNAME:School',
        'BEGIN:VEVENT',
        'UID:1@example.com',
        'DTSTAMP:20261123T000000Z',
        'DTSTART:20261127T183005Z',
        'SUMMARY:Scale',
        'DESCRIPTION:Strings 4b',
        'URL:https://example.com/a',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    )
  })

  it('escapes separators, line breaks and control characters, so that a title adds no line', () => {
    const summary = 'A; b, c\\d\r\nEND:VEVENT\nx\u0007'
    const line = icalendarOf('x', [{ ...moment, summary }]).split('\r\n')[8]
    expect(line).toBe('SUMMARY:A\\; b\\, c\\\\d\\nEND:VEVENT\\nx ')
  })

  it('folds lines after 75 bytes without dividing a character', () => {
    const summary = '♫é𝄞 '.repeat(60).trim()
    const text = icalendarOf('x', [{ ...moment, summary }])
    const lines = text.split('\r\n')
    expect(lines.length).toBeGreaterThan(18)
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(text).not.toContain('\ufffd')
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}\r\n`)
  })
})
