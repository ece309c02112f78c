/** Frames of a video as pictures: their times, and names with the time. */

/** Per video: together with the video they fit into one message. */
export const MOST_FRAMES = 8

/** in: the length in seconds. out: times of its frames, at most one per second; [0] when the length is unknown */
export function frameTimes(seconds: number): number[] {
  if (!Number.isFinite(seconds) || seconds <= 0) return [0]
  const count = Math.min(MOST_FRAMES, Math.max(1, Math.floor(seconds)))
  return Array.from({ length: count }, (_, at) => Math.round(((at + 0.5) * seconds * 10) / count) / 10)
}

/** The name of a frame: its video, and the time in it. */
export const frameName = (video: string, seconds: number): string => `${video} at ${seconds.toFixed(1)}s.jpg`

/** The video and time in a frame's name; null: not a frame's name. */
export function frameIn(name: string): { video: string; seconds: number } | null {
  const [, video, seconds] = /^(.+) at (\d{1,9}\.\d)s\.jpg$/.exec(name) ?? []
  return video === undefined ? null : { video, seconds: Number(seconds) }
}
