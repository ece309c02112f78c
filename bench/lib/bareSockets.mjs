// A bare web socket server: sends texts of a file, [ms, text], to all who are connected, from the first message that it gets on.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'

const texts = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('listening', () => process.stdout.write(`${server.address().port}\n`))
server.on('connection', (socket) => socket.on('message', () => void play()))

async function play() {
  const began = performance.now()
  for (const [ms, text] of texts) {
    const pause = ms - (performance.now() - began)
    if (pause >= 1) await sleep(pause)
    for (const client of server.clients) client.send(text)
  }
}
