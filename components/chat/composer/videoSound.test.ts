/** The sound of a video in the composer becomes a file of its own; what cannot be heard becomes none. */
import { expect, it } from 'vitest'
import { soundName, videoIn } from '@/lib/format/videoFrames'
import { soundOf } from './videoSound'

const CLIP = new File(['video'], 'clip.mp4', { type: 'video/mp4' })
const HEADER_BYTES = 44
const RATE = 16_000
/** Larger sounds are named to models, and not shown (server/skills/prompt/attachments.ts). */
const SHOWN_BYTES = 5 * 1024 * 1024

const tone = (seconds: number): Float32Array => new Float32Array(seconds * RATE).fill(0.5)

it('[R188] the name of a sound tells its video, and where it is cut', () => {
  expect(soundName('clip.mp4', null)).toBe('clip.mp4 sound.wav')
  expect(soundName('clip.mp4', 150)).toBe('clip.mp4 sound first 150s.wav')
  for (const cutAt of [null, 150])
    expect(videoIn(soundName('clip.mp4', cutAt))).toEqual({ video: 'clip.mp4', seconds: null })
  for (const other of [' sound.wav', 'sound.wav', 'clip.mp4 sound.mp3', 'clip.mp4 sound first s.wav'])
    expect(videoIn(other)).toBeNull()
})

it('[R188] the sound of a video comes whole as a WAV file', async () => {
  const sound = await soundOf(CLIP, async () => [tone(2), tone(2)])
  expect([sound?.name, sound?.type]).toEqual(['clip.mp4 sound.wav', 'audio/wav'])
  expect(sound?.size).toBe(HEADER_BYTES + 2 * RATE * 2)
})

it('[R188] of a long sound its first 150 seconds come, which models are shown', async () => {
  const exact = await soundOf(CLIP, async () => [tone(150)])
  expect(exact?.name).toBe('clip.mp4 sound.wav')
  const cut = await soundOf(CLIP, async () => [tone(151)])
  expect(cut?.name).toBe('clip.mp4 sound first 150s.wav')
  expect(cut?.size).toBe(exact?.size)
  expect(cut?.size).toBeLessThanOrEqual(SHOWN_BYTES)
})

it('[R188] a video without sound, with a silent one, or with one that the browser cannot read has no sound file', async () => {
  expect(await soundOf(CLIP, async () => [])).toBeNull()
  expect(await soundOf(CLIP, async () => [new Float32Array(RATE)])).toBeNull()
  // Here no browser decodes.
  expect(await soundOf(CLIP)).toBeNull()
})
