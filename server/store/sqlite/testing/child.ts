/**
 * A process of its own for the tests that need one to die. Started by children.ts as `node --import tsx child.ts <what> <folder> [seed]`.
 *   hold    opens the folder, prints READY and stays
 *   forget  appends decisions with bodies of every size and forgets some of each; prints each round
 *   append  appends decisions of several events and a body until it is killed, while room is made in the log; prints each acknowledged one
 */
import { writeSync } from 'node:fs'
import { sha256 } from '../../../shared/sha256'
import { openSqliteStore } from '../openSqliteStore'

const [what, folder = '', seed = '0'] = process.argv.slice(2)

/** Straight to the pipe: a line that was printed must not sit in a buffer when the kill comes. */
const print = (line: string) => writeSync(1, `${line}\n`)

async function hold(): Promise<void> {
  await openSqliteStore(folder)
  print('READY')
  setInterval(() => {}, 60_000)
}

async function forget(): Promise<void> {
  const { journal, bodies } = await openSqliteStore(folder)
  const { epoch, seq } = await journal.take(`child-${seed}`)
  let head = seq
  print('READY')
  for (let n = 0; ; n++) {
    const made = [900, 1_200, 20_000, 90_000, 120_000].map((length, part) => {
      const bytes = Buffer.alloc(length, `${seed}-${n}-${part} `)
      return { sha: sha256(bytes), bytes, mime: 'text/plain' }
    })
    const shas = made.map(({ sha }) => sha)
    const events = [{ type: 'child.wrote', v: 1, shas }]
    const answer = await journal.append(epoch, head, [{ id: `${seed}-${n}`, by: 'child', events, bodies: made }])
    if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
    head = answer.last
    await bodies.forget(
      shas.filter((_, part) => part % 2 === 0),
      Date.now() + 1,
    )
    print(`FORGOT ${seed}-${n}`)
  }
}

async function append(): Promise<void> {
  const { journal, makeRoom } = await openSqliteStore(folder)
  const { epoch, seq } = await journal.take(`child-${seed}`)
  void makeRoom()
  let head = seq
  print('READY')
  for (let n = 0; ; n++) {
    const id = `${seed}-${n}`
    // Each seventh is large enough to become a file.
    const bytes = Buffer.alloc(n % 7 === 0 ? 70_000 : 900, `${id} `)
    const sha = sha256(bytes)
    const events = Array.from({ length: 1 + (n % 4) }, (_, part) => ({
      type: 'child.wrote',
      v: 1,
      n,
      part,
      parts: 1 + (n % 4),
      sha,
    }))
    try {
      const answer = await journal.append(epoch, head, [
        { id, by: 'child', events, bodies: [{ sha, bytes, mime: 'text/plain' }] },
      ])
      if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
      head = answer.last
      print(`ACK ${id} ${answer.last}`)
    } catch (error) {
      const { name, message } = error instanceof Error ? error : { name: 'unknown', message: String(error) }
      print(`FAILED ${id} ${name} ${message}`)
      const next = await journal.append(epoch, head, []).then(
        () => 'accepted',
        (refusal: unknown) => (refusal instanceof Error ? refusal.name : 'unknown'),
      )
      print(`THEN ${next}`)
      process.exit(3)
    }
  }
}

await (what === 'hold' ? hold() : what === 'forget' ? forget() : append())
