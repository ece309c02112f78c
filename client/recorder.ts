/** insecure: the address is neither https nor localhost · denied: by the person or the browser · none: there is no microphone. */
type RecordingError = 'insecure' | 'denied' | 'none' | 'broken'

export type Recording = {
  /** out: the sound; null when the recorder delivered nothing. */
  stop: () => Promise<File | null>
  discard: () => void
}

const MIME_TYPES = ['audio/webm', 'audio/mp4', 'audio/ogg'] as const
const EXTENSIONS: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' }

/** in: name: of the file, without its ending */
export async function startRecording(
  name: string,
): Promise<{ ok: true; recording: Recording } | { ok: false; why: RecordingError }> {
  if (typeof MediaRecorder === 'undefined' || navigator.mediaDevices?.getUserMedia === undefined)
    return { ok: false, why: window.isSecureContext ? 'broken' : 'insecure' }
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    const kind = error instanceof DOMException ? error.name : ''
    return { ok: false, why: kind === 'NotAllowedError' ? 'denied' : kind === 'NotFoundError' ? 'none' : 'broken' }
  }
  const stopTracks = (): void => {
    for (const track of stream.getTracks()) track.stop()
  }
  const mime = MIME_TYPES.find((one) => MediaRecorder.isTypeSupported(one))
  const chunks: Blob[] = []
  try {
    const recorder = new MediaRecorder(stream, mime ? { mimeType: mime } : {})
    recorder.ondataavailable = ({ data }) => {
      if (data.size > 0) chunks.push(data)
    }
    const ended = new Promise<void>((resolve) => {
      recorder.onstop = () => resolve()
    })
    recorder.start(1_000)
    return {
      ok: true,
      recording: {
        stop: async () => {
          if (recorder.state !== 'inactive') recorder.stop()
          await ended
          stopTracks()
          const type = (recorder.mimeType || mime || 'audio/webm').split(';')[0] ?? 'audio/webm'
          return chunks.length === 0 ? null : new File(chunks, `${name}.${EXTENSIONS[type] ?? 'webm'}`, { type })
        },
        discard: () => {
          if (recorder.state !== 'inactive') recorder.stop()
          stopTracks()
        },
      },
    }
  } catch {
    stopTracks()
    return { ok: false, why: 'broken' }
  }
}
