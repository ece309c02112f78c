/** The presses of the record button: held down it records until it is released; after a short press, until the next one. */

/** A shorter press keeps on recording. */
const HELD_MS = 500

type Recorder = {
  /** off: no recording was begun; starting: the microphone is not ready yet */
  state: () => 'off' | 'starting' | 'recording'
  begin: () => void
  end: () => void
}

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
