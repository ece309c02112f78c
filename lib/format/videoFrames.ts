/** Frames of a video as pictures beside it: which times, and the names that tell them. */

/** Of one video: with the video itself they fit into one message. */
export const MOST_FRAMES = 8

/** in: the length of a video in seconds; out: the times of its frames, one a second at most; [0] where the length is not known */
export function frameTimes(seconds: number): number[] {
  if (!Number.isFinite(seconds) || seconds <= 0) return [0]
  const count = Math.min(MOST_FRAMES, Math.max(1, Math.floor(seconds)))
  return Array.from({ length: count }, (_, at) => Math.round(((at + 0.5) * seconds * 10) / count) / 10)
}

/** The name of a frame: its video, and the time in it. */
export const frameName = (video: string, seconds: number): string => `${video} at ${seconds.toFixed(1)}s.jpg`

/** The video and the time that the name of a frame tells; null: it is the name of no frame. */
export function frameIn(name: string): { video: string; seconds: number } | null {
  const [, video, seconds] = /^(.+) at (\d{1,9}\.\d)s\.jpg$/.exec(name) ?? []
  return video === undefined ? null : { video, seconds: Number(seconds) }
}
