/** Takes a video apart in the browser of its sender: models read pictures, and no video. */
import { frameName, frameTimes } from '@/lib/format/videoFrames'

const LONGEST_SIDE = 1_024
const QUALITY = 0.8
/** A video that the browser cannot read may never say so. */
const LIMIT_MS = 10_000

/** seconds: its length, NaN where it is not known. frameAt: null where there is none */
export type VideoReader = { seconds: number; frameAt(seconds: number): Promise<Blob | null>; close(): void }

/** out: frames in their order, named by their times; [] for a video that this browser cannot read */
export async function framesOf(
  video: File,
  open: (video: File) => Promise<VideoReader | null> = openVideo,
): Promise<File[]> {
  const reader = await open(video)
  if (reader === null) return []
  const frames: File[] = []
  try {
    for (const seconds of frameTimes(reader.seconds)) {
      const picture = await reader.frameAt(seconds)
      if (picture !== null) frames.push(new File([picture], frameName(video.name, seconds), { type: 'image/jpeg' }))
    }
  } finally {
    reader.close()
  }
  return frames
}

async function openVideo(file: File): Promise<VideoReader | null> {
  const video = document.createElement('video')
  const address = URL.createObjectURL(file)
  video.muted = true
  video.preload = 'auto'
  const isRead = happens(video, 'loadeddata')
  video.src = address
  const close = (): void => URL.revokeObjectURL(address)
  if (!(await isRead) || video.videoWidth === 0) {
    close()
    return null
  }
  return {
    seconds: await lengthOf(video),
    close,
    async frameAt(seconds) {
      const isThere = happens(video, 'seeked')
      video.currentTime = seconds
      return (await isThere) ? pictureOf(video) : null
    },
  }
}

/** No video is longer. */
const LATEST_S = 24 * 60 * 60

/** In seconds. A recording of a browser does not state its length: its end is looked for. */
async function lengthOf(video: HTMLVideoElement): Promise<number> {
  if (Number.isFinite(video.duration)) return video.duration
  const isThere = happens(video, 'seeked')
  video.currentTime = LATEST_S
  return (await isThere) ? video.currentTime : video.duration
}

/** out: whether it happened, in time and before an error */
const happens = (video: HTMLVideoElement, what: 'loadeddata' | 'seeked'): Promise<boolean> =>
  new Promise((resolve) => {
    const limit = setTimeout(() => resolve(false), LIMIT_MS)
    const end = (is: boolean) => () => {
      clearTimeout(limit)
      resolve(is)
    }
    video.addEventListener(what, end(true), { once: true })
    video.addEventListener('error', end(false), { once: true })
  })

function pictureOf(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}
