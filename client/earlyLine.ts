/** The line that the page's script opened (earlyScript.ts), taken over by the first socket of the page. */
import { WebSocket as OverWebSocket } from 'socket.io-client'

export class EarlyLine extends OverWebSocket {
  override createSocket(...where: Parameters<OverWebSocket['createSocket']>): WebSocket {
    const early = window.conveneLine
    window.conveneLine = undefined
    // There is none any more, or it broke.
    if (!early || early.socket.readyState > 1) return super.createSocket(...where)
    // Whoever asks for a socket listens to it only when they have it.
    if (early.socket.readyState === 1)
      queueMicrotask(() => {
        this.onOpen()
        for (const { data } of early.heard) this.onData(data)
      })
    return early.socket
  }
}
