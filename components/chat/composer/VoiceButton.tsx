/** Records a voice message: while the button is held, or from one short press to the next. */
import { Mic, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import type { Recording } from '@/client/recorder'
import { IconButton } from '@/components/ui/Button'
import { pulse } from '@/components/ui/marks/pulse'
import { Elapsed } from '@/components/ui/marks/Time'
import { showToast } from '@/components/ui/overlays/toast'
import { useStable } from '@/components/ui/useStable'
import { voiceRecorder } from '../lazy'

const LONGEST_MS = 10 * 60_000

export function VoiceButton({ onRecorded }: { onRecorded: (file: File) => void }) {
  const t = useTranslations('chat.voice')
  const [startedAt, setStartedAt] = useState<number | null>(null)
  const recording = useRef<Recording | null>(null)
  /** false: it was ended before the microphone was ready. */
  const isWanted = useRef(false)

  const begin = async (): Promise<void> => {
    isWanted.current = true
    const file = await voiceRecorder().catch(() => null)
    const started =
      file === null ? ({ ok: false, why: 'unreachable' } as const) : await file.startRecording(t('fileName'))
    if (!started.ok) {
      isWanted.current = false
      showToast('error', t(`trouble.${started.why}`))
      return
    }
    if (!isWanted.current) {
      started.recording.discard()
      return
    }
    recording.current?.discard()
    recording.current = started.recording
    setStartedAt(performance.now())
  }
  const end = async (isKept: boolean): Promise<void> => {
    isWanted.current = false
    const ended = recording.current
    recording.current = null
    setStartedAt(null)
    if (!isKept) ended?.discard()
    const file = isKept ? await ended?.stop() : null
    if (file) onRecorded(file)
  }
  const [beginNow, endNow] = [useStable(() => void begin()), useStable(() => void end(true))]
  const [{ press, release }] = useState(() =>
    createRecordPresses({
      state: () => (recording.current ? 'recording' : isWanted.current ? 'starting' : 'off'),
      begin: beginNow,
      end: endNow,
    }),
  )
  useEffect(() => {
    if (startedAt === null) return
    const timer = setTimeout(endNow, LONGEST_MS)
    return () => clearTimeout(timer)
  }, [startedAt, endNow])
  useEffect(
    // Joins the microphone: it is released when the composer is left, also where it is ready only after that.
    () => () => {
      isWanted.current = false
      recording.current?.discard()
    },
    [],
  )
  const isOn = startedAt !== null
  return (
    <>
      <IconButton
        icon={isOn ? <Square className="fill-current" /> : <Mic />}
        label={isOn ? t('stop') : t('start')}
        aria-pressed={isOn}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          press()
        }}
        onPointerUp={release}
        onPointerLeave={release}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOn) {
            event.stopPropagation()
            void end(false)
          } else if ((event.key === 'Enter' || event.key === ' ') && !event.repeat) {
            event.preventDefault()
            press()
          }
        }}
        onKeyUp={(event) => {
          if (event.key === 'Enter' || event.key === ' ') release()
        }}
      />
      {startedAt === null ? null : (
        <span className="flex items-center gap-1.5 text-meta text-t2" role="status">
          <span ref={pulse} aria-hidden className="size-2 rounded-person bg-running still:opacity-100!" />
          {t('recording')}
          <Recorded startedAt={startedAt} />
        </span>
      )}
    </>
  )
}

/** How long it has recorded, whatever happens to the clock meanwhile. in: startedAt: performance.now() */
function Recorded({ startedAt }: { startedAt: number }) {
  const now = useNow('seconds')
  return <Elapsed since={now - (performance.now() - startedAt)} />
}

/** A shorter press keeps on recording. */
const HELD_MS = 500

type Recorder = {
  /** off: no recording was begun; starting: the microphone is not ready yet */
  state: () => 'off' | 'starting' | 'recording'
  begin: () => void
  end: () => void
}

/** The presses of the button: held down it records until it is released; after a short press, until the next one. */
export function createRecordPresses({ state, begin, end }: Recorder) {
  let pressedAt: number | null = null
  return {
    press: (): void => {
      pressedAt = Date.now()
      if (state() === 'off') begin()
      else end()
    },
    /** The button was released, or the pointer left it: that ends the press, and the recording only if the press was held. */
    release: (): void => {
      const isHeld = pressedAt !== null && Date.now() - pressedAt >= HELD_MS
      pressedAt = null
      // The browser's permission dialog ends the press; recording then continues until the next press.
      if (isHeld && state() === 'recording') end()
    },
  }
}
