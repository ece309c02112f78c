/** A mail server that keeps what it gets: enough of SMTP for a client that signs in and sends. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Mail = { from: string; to: string[]; text: string }
export type MailServer = {
  /** With the name and password that it wants. */
  url: string
  got: Mail[]
  /** What the next mails are answered with; taken after those. */
  answers: string[]
  close: () => void
}

const USER = Buffer.from('\0convene\0letmein').toString('base64')

export async function openMailServer(): Promise<MailServer> {
  const got: Mail[] = []
  const answers: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    let mail: Mail = { from: '', to: [], text: '' }
    let isData = false
    let isSignedIn = false
    let rest = ''
    const hear = (line: string): void => {
      if (isData) {
        if (line !== '.') {
          mail.text += `${line.replace(/^\.\./, '.')}\n`
          return
        }
        isData = false
        const answer = answers.shift() ?? '250 kept'
        if (answer.startsWith('250')) got.push(mail)
        mail = { from: '', to: [], text: '' }
        say(answer)
        return
      }
      const verb = line.slice(0, 4).toUpperCase()
      switch (verb) {
        case 'EHLO':
          say('250-test\r\n250 AUTH PLAIN')
          return
        case 'AUTH':
          isSignedIn = line.endsWith(USER)
          say(isSignedIn ? '235 in' : '535 no')
          return
        case 'MAIL':
          mail.from = /<(.*?)>/.exec(line)?.[1] ?? ''
          say(isSignedIn ? '250 ok' : '530 sign in first')
          return
        case 'RCPT':
          mail.to.push(/<(.*?)>/.exec(line)?.[1] ?? '')
          say('250 ok')
          return
        case 'DATA':
          isData = true
          say('354 go on')
          return
        case 'QUIT':
          say('221 bye')
          socket.end()
          return
        default:
          say('250 ok')
          return
      }
    }
    socket.on('data', (piece) => {
      const lines = (rest + piece.toString('utf8')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    say('220 test')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://convene:letmein@127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    answers,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
