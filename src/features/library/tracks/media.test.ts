import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../test/support/failure.ts'
import { mediaAt } from './media.ts'

describe('mediaAt', () => {
  it.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com/watch?feature=shared&v=dQw4w9WgXcQ&t=42s#top',
    'http://m.youtube.com/watch/?v=dQw4w9WgXcQ',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVMdQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=Ab-c_1',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?start=3',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ/',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ',
  ])('recognizes a YouTube video at %s', (url) => {
    expect(mediaAt(url)).toMatchObject({ type: 'youtube', media_id: 'dQw4w9WgXcQ' })
  })

  it.each([
    'https://vimeo.com/76979871',
    'https://www.vimeo.com/76979871?share=copy',
    'https://vimeo.com/76979871/8272103f6e',
    'https://vimeo.com/channels/staffpicks/76979871',
    'https://vimeo.com/groups/strings/videos/76979871',
    'https://vimeo.com/showcase/1234/video/76979871',
    'https://player.vimeo.com/video/76979871?h=8272103f6e',
  ])('recognizes a Vimeo video at %s', (url) => {
    expect(mediaAt(url)).toMatchObject({ type: 'vimeo', media_id: '76979871' })
  })

  it.each([
    ['https://soundcloud.com/a-choir/evening-song', 'a-choir/evening-song'],
    ['https://m.soundcloud.com/a-choir/evening-song?in=a-choir/sets/songs', 'a-choir/evening-song'],
    ['https://soundcloud.com/a-choir/evening-song/s-AbC123', 'a-choir/evening-song'],
    ['https://soundcloud.com/a-choir/sets-and-reps', 'a-choir/sets-and-reps'],
    ['https://api.soundcloud.com/tracks/293', '293'],
    ['https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293&color=ff5500', '293'],
    ['https://on.soundcloud.com/x3Yz', null],
  ])('recognizes a SoundCloud track at %s', (url, media_id) => {
    expect(mediaAt(url)).toMatchObject({ type: 'soundcloud', media_id })
  })

  it.each([
    'https://example.com/waltz.mp3',
    'http://192.0.2.7:8080/',
    'https://www.youtube.com/@somebody',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/watch',
    'https://youtube.com.example.com/watch?v=dQw4w9WgXcQ',
    'https://example.com/https://youtu.be/dQw4w9WgXcQ',
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://vimeo.com/somebody',
    'https://soundcloud.com/a-choir',
    'https://soundcloud.com/a-choir/sets/songs',
    'https://w.soundcloud.com/player/?url=nowhere',
  ])('treats %s as an audio file', (url) => {
    expect(mediaAt(url)).toEqual({ type: 'audio', url, media_id: null })
  })

  it('normalizes the URL as browsers do', () => {
    expect(mediaAt(' https://Example.com/A "song".mp3\n').url).toBe('https://example.com/A%20%22song%22.mp3')
  })

  it.each([
    undefined,
    '',
    'waltz.mp3',
    '//example.com/waltz.mp3',
    'https://',
    'ftp://example.com/waltz.mp3',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:audio/mpeg;base64,AAAA',
  ])('refuses %s', (url) => {
    expect(failureOf(() => mediaAt(url))).toMatchObject({ code: 'INVALID_PARAMETER', param: 'url' })
  })
})
