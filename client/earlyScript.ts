/**
 * The script that asks who looks and opens the line to the server, while the files of the console are still on their
 * way.
 */

/** What is asked for, by the same words as api.ts asks. */
export const EARLY_PATH = '/api/me'

declare global {
  interface Window {
    /** null: no answer came. */
    conveneEarly?: Promise<Response | null> | undefined
    /** heard: what came on it. */
    conveneLine?: { socket: WebSocket; heard: MessageEvent[] } | undefined
  }
}

const earlyCall = `conveneEarly=fetch('${EARLY_PATH}',{credentials:'same-origin',cache:'no-store'}).catch(function(){return null})`

// It would else wait for the page to have a moment: it is put together meanwhile.
const earlyLine = `try{(function(l){l.socket.onmessage=function(e){l.heard.push(e)}})(conveneLine={socket:new WebSocket(location.origin.replace(/^http/,'ws')+'/socket.io/?EIO=4&transport=websocket'),heard:[]})}catch(e){}`

export const earlyScript = `${earlyCall};${earlyLine}`
