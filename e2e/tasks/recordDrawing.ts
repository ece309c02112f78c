/** Records in a page what the socket brings of running steps, and whether the strip shows it once the next frame is drawn. */

/** expected: the end of the text, or what the step does. */
type Check = { is: 'text' | 'doing'; expected: string; isDrawn: boolean }
export type Drawn = {
  checks: Check[]
  /** The streamed text of all steps so far. */
  text: string
  /** Heights of the strip, each when it changes. */
  heights: number[]
}

declare global {
  interface Window {
    drawn: Drawn
  }
}

/** Runs in the page, before its scripts: it hears each message before the page does. */
export function recordDrawing(): void {
  const drawn: Drawn = { checks: [], text: '', heights: [] }
  window.drawn = drawn
  const texts = new Map<string, string>()
  const doings = new Map<string, string>()
  const lineOf = (agent: string) => document.querySelector(`[data-kind=at-work][data-id="${agent}"]`)

  /** A task after the frame was drawn. */
  const afterFrame = (run: () => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = run
    port2.postMessage(null)
  }

  function checkText(agent: string, step: string): void {
    const expected = (texts.get(step) ?? '').trimEnd().slice(-30)
    afterFrame(() => {
      const shown = lineOf(agent)?.querySelector('[data-kind=last-words]')?.textContent ?? ''
      drawn.checks.push({ is: 'text', expected, isDrawn: shown.endsWith(expected) })
    })
  }

  function checkDoing(agent: string, step: string): void {
    const expected = doings.get(step) ?? ''
    // Between two calls the step may be over, and its line is that of the next.
    if (expected === 'between') return
    afterFrame(() => {
      const isDrawn = lineOf(agent)?.querySelector(`[data-doing="${expected}"]`) !== null
      drawn.checks.push({ is: 'doing', expected, isDrawn })
    })
  }

  function hear(data: unknown): void {
    if (typeof data !== 'string' || !data.startsWith('42["ephemeral"')) return
    const [, note] = JSON.parse(data.slice(2))
    if (note.kind === 'text' && note.text !== '') {
      texts.set(note.step, (texts.get(note.step) ?? '').slice(0, note.at) + note.text)
      drawn.text = [...texts.values()].join('')
      requestAnimationFrame(() => checkText(note.agent, note.step))
    }
    if (note.kind === 'doing') {
      doings.set(note.step, note.what)
      requestAnimationFrame(() => checkDoing(note.agent, note.step))
    }
  }

  const Native = window.WebSocket
  window.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => hear(data))
    }
  }

  const lookAtHeight = (): void => {
    const strip = document.querySelector('[data-kind=live-strip]')
    const height = strip === null ? 0 : Math.round(strip.getBoundingClientRect().height)
    if (height !== (drawn.heights.at(-1) ?? 0)) drawn.heights.push(height)
    requestAnimationFrame(lookAtHeight)
  }
  requestAnimationFrame(lookAtHeight)
}
