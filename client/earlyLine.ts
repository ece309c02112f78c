/**
 * The line that the page's script opened (earlyScript.ts), taken over by the first socket of the page.
 *
 * Owns: what came on it is heard as if it came now, and what was asked on it is not asked twice. Not here: any later line, which is
 * opened as usual; what is said on it (socket.ts).
 */
import { WebSocket as OverWebSocket } from 'socket.io-client'
import { ASKS_IN } from './earlyScript'

type Early = NonNullable<Window['conveneLine']>

/** Once; null: there is none, or it broke. */
function takeLine(): Early | null {
  const early = window.conveneLine
  window.conveneLine = undefined
  return early !== undefined && early.socket.readyState <= WebSocket.OPEN ? early : null
}

export class EarlyLine extends OverWebSocket {
  #hasAsked = false

  override createSocket(...where: Parameters<OverWebSocket['createSocket']>): WebSocket {
    const early = takeLine()
    if (early === null) return super.createSocket(...where)
    const { socket, heard } = early
    this.#hasAsked = heard.length > 0
    // Whoever asks for a socket listens to it only when they have it.
    if (socket.readyState === WebSocket.OPEN)
      queueMicrotask(() => {
        this.onOpen()
        for (const { data } of heard) this.onData(data)
      })
    return socket
  }

  override doWrite(...[packet, data]: Parameters<OverWebSocket['doWrite']>): void {
    const isSaid = this.#hasAsked && data === ASKS_IN
    if (isSaid) this.#hasAsked = false
    else super.doWrite(packet, data)
  }
}
