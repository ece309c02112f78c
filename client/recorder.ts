/** Recording a voice by the browser's microphone. */

/** insecure: the address is neither https nor localhost · denied: the member or the browser said no · none: there is no microphone. */
export type NoVoice = 'insecure' | 'denied' | 'none' | 'broken'

export type Recording = {
  /** Ends it. out: the sound; null when nothing was heard of the recorder. */
  stop: () => Promise<File | null>
  /** Ends it and forgets it. */
  drop: () => void
}

const MIMES = ['audio/webm', 'audio/mp4', 'audio/ogg'] as const
const ENDINGS: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' }

/** in: name: of the file, without its ending */
export async function startRecording(
  name: string,
): Promise<{ ok: true; recording: Recording } | { ok: false; why: NoVoice }> {
  if (typeof MediaRecorder === 'undefined' || navigator.mediaDevices?.getUserMedia === undefined)
    return { ok: false, why: window.isSecureContext ? 'broken' : 'insecure' }
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    const kind = error instanceof DOMException ? error.name : ''
    return { ok: false, why: kind === 'NotAllowedError' ? 'denied' : kind === 'NotFoundError' ? 'none' : 'broken' }
  }
  const letGo = (): void => {
    for (const track of stream.getTracks()) track.stop()
  }
  const mime = MIMES.find((one) => MediaRecorder.isTypeSupported(one))
  const pieces: Blob[] = []
  try {
    const recorder = new MediaRecorder(stream, mime ? { mimeType: mime } : {})
    recorder.ondataavailable = ({ data }) => {
      if (data.size > 0) pieces.push(data)
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
          letGo()
          const type = (recorder.mimeType || mime || 'audio/webm').split(';')[0] ?? 'audio/webm'
          return pieces.length === 0 ? null : new File(pieces, `${name}.${ENDINGS[type] ?? 'webm'}`, { type })
        },
        drop: () => {
          if (recorder.state !== 'inactive') recorder.stop()
          letGo()
        },
      },
    }
  } catch {
    letGo()
    return { ok: false, why: 'broken' }
  }
}
