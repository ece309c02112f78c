/** The sound of a video as a file of its own, made in the browser of its sender: models take sounds, and no video. */
import { monoWav } from '@/lib/format/monoWav'
import { soundName } from '@/lib/format/videoFrames'

/** Enough for speech, and taken by all models that take sounds. */
const SAMPLE_RATE = 16_000
/** 4.8 MB, 6.4 MB as base64: models are shown sounds of up to 5 MiB, and an imported list has at most 10 MiB. */
const MOST_SECONDS = 150

/** out: its channels, at SAMPLE_RATE; []: no sound, or none that this browser can read */
type SoundReader = (video: File) => Promise<readonly Float32Array[]>

/** out: the beginning of the sound as a WAV file, whose name says where it is cut; null: nothing can be heard */
export async function soundOf(video: File, read: SoundReader = readSound): Promise<File | null> {
  const channels = await read(video)
  const most = MOST_SECONDS * SAMPLE_RATE
  const kept = channels.map((samples) => samples.subarray(0, most))
  if (kept.every((samples) => samples.every((sample) => sample === 0))) return null
  const isCut = channels.some(({ length }) => length > most)
  const name = soundName(video.name, isCut ? MOST_SECONDS : null)
  return new File([monoWav(kept, SAMPLE_RATE)], name, { type: 'audio/wav' })
}

/** Decoding resamples to the rate of the context. */
async function readSound(video: File): Promise<readonly Float32Array[]> {
  try {
    const context = new OfflineAudioContext({ length: 1, sampleRate: SAMPLE_RATE })
    const sound = await context.decodeAudioData(await video.arrayBuffer())
    return Array.from({ length: sound.numberOfChannels }, (_, channel) => sound.getChannelData(channel))
  } catch {
    return []
  }
}
