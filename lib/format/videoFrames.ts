/** Frames of a video as pictures, and its sound: their times and names. */

/** Per video: together with the video and its sound they fit into one message. */
export const MOST_FRAMES = 8

/** in: the length in seconds. out: times of its frames, at most one per second; [0] when the length is unknown */
export function frameTimes(seconds: number): number[] {
  if (!Number.isFinite(seconds) || seconds <= 0) return [0]
  const count = Math.min(MOST_FRAMES, Math.max(1, Math.floor(seconds)))
  return Array.from({ length: count }, (_, at) => Math.round(((at + 0.5) * seconds * 10) / count) / 10)
}

/** The name of a frame: its video, and the time in it. */
export const frameName = (video: string, seconds: number): string => `${video} at ${seconds.toFixed(1)}s.jpg`

/** The name of the sound: its video, and, of a sound that is cut, its seconds; null: it is whole. */
export const soundName = (video: string, cutAt: number | null): string =>
  `${video} sound${cutAt === null ? '' : ` first ${cutAt}s`}.wav`

/** The video in the name of a frame or sound, and the time of the frame; null: the name of another file. */
export function videoIn(name: string): { video: string; seconds: number | null } | null {
  const made = /^(.+) (?:at (\d{1,9}\.\d)s\.jpg|sound(?: first \d{1,9}s)?\.wav)$/
  const [, video, seconds] = made.exec(name) ?? []
  return video === undefined ? null : { video, seconds: seconds === undefined ? null : Number(seconds) }
}
