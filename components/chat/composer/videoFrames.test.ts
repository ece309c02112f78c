/** A video in the composer becomes pictures with their times; what cannot be read stays a file. */
import { expect, it } from 'vitest'
import { frameName, frameTimes, MOST_FRAMES, videoIn } from '@/lib/format/videoFrames'
import { framesOf, type VideoReader } from './videoFrames'

const CLIP = new File(['video'], 'clip.mp4', { type: 'video/mp4' })

/** A reader of a video of so many seconds; asked: the times at which a frame was asked for. */
function reader(
  seconds: number,
  lacks: number[] = [],
): { open: () => Promise<VideoReader>; asked: number[]; state: { is: boolean } } {
  const asked: number[] = []
  const state = { is: true }
  const frameAt = async (at: number): Promise<Blob | null> => {
    asked.push(at)
    return lacks.includes(at) ? null : new Blob([`frame ${at}`])
  }
  const close = (): void => {
    state.is = false
  }
  return { asked, state, open: async () => ({ seconds, frameAt, close }) }
}

it('[R188] a long video gives eight frames spread over it, a short one a frame a second', () => {
  expect(frameTimes(80)).toEqual([5, 15, 25, 35, 45, 55, 65, 75])
  expect(frameTimes(3)).toEqual([0.5, 1.5, 2.5])
  expect(frameTimes(0.4)).toEqual([0.2])
  for (const unknown of [Number.POSITIVE_INFINITY, Number.NaN, 0]) expect(frameTimes(unknown)).toEqual([0])
  expect(frameTimes(86_400)).toHaveLength(MOST_FRAMES)
})

it('[R188] the name of a frame tells its video and its time', () => {
  expect(frameName('clip.mp4', 65)).toBe('clip.mp4 at 65.0s.jpg')
  expect(videoIn('clip.mp4 at 65.0s.jpg')).toEqual({ video: 'clip.mp4', seconds: 65 })
  for (const other of ['clip.mp4', 'at 1.0s.jpg', 'photo.jpg', 'clip.mp4 at 5s.jpg']) expect(videoIn(other)).toBeNull()
})

it('[R188] frames come as pictures in their order, those that cannot be had are left out, and the video is let go', async () => {
  const video = reader(3, [1.5])
  const frames = await framesOf(CLIP, video.open)
  expect(frames.map(({ name, type }) => [name, type])).toEqual([
    ['clip.mp4 at 0.5s.jpg', 'image/jpeg'],
    ['clip.mp4 at 2.5s.jpg', 'image/jpeg'],
  ])
  expect(video.asked).toEqual([0.5, 1.5, 2.5])
  expect(video.state.is).toBe(false)
})

it('[R188] a video that the browser cannot read has no frames', async () => {
  expect(await framesOf(CLIP, async () => null)).toEqual([])
})
