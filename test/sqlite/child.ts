/**
 * A process of its own for the tests that need one to die. Started by children.ts as `node <its bundle> <what> <place> [seed]`,
 * where the place is a data folder or the address of a database.
 *   hold    opens the store, prints READY and stays
 *   node    the same as one of several nodes, with the lease
 *   forget  appends decisions with bodies of every size and forgets some of each; prints each round
 *   append  appends decisions of several events, a body and an envelope until it is killed; prints each acknowledged one
 */
import { writeSync } from 'node:fs'
import '@/server/packages'
import { sha256 } from '@/server/shared/sha256'
import type { StoreOptions } from '@/server/store/interfaces'
import { openStore } from '@/server/store/openStore'
import { envelopeOf } from '@/test/storeContract/envelopes'

const [what, folder = '', seed = '0'] = process.argv.slice(2)
const open = (options: StoreOptions = {}) =>
  openStore({ databaseUrl: /^postgres:/.test(folder) ? folder : null, dataFolder: folder }, options)

/** Straight to the pipe: a line that was printed must not sit in a buffer when the kill comes. */
const print = (line: string) => writeSync(1, `${line}\n`)

async function hold(options: StoreOptions = {}): Promise<void> {
  await open(options)
  print('READY')
  setInterval(() => {}, 60_000)
}

async function forget(): Promise<void> {
  const { journal, bodies } = await open()
  const { epoch, seq } = await journal.take(`child-${seed}`)
  let head = seq
  print('READY')
  for (let n = 0; ; n++) {
    // The last five lie in one group: some of their bodies go, and those beside them stay.
    const batch = [[900, 1_200, 20_000, 90_000, 120_000], ...Array.from({ length: 5 }, () => [900, 1_200])].map(
      (lengths, which) => decisionWith(`${seed}-${n}-${which}`, lengths),
    )
    const answer = await journal.append(epoch, head, batch)
    if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
    head = answer.last
    await bodies.forget(
      batch.flatMap((item) => item.bodies.filter((_, part) => part % 2 === 0).map(({ sha }) => sha)),
      Date.now() + 1,
    )
    for (const { id } of batch) print(`FORGOT ${id}`)
  }
}

function decisionWith(id: string, lengths: number[]) {
  const bodies = lengths.map((length, part) => {
    const bytes = Buffer.alloc(length, `${id}-${part} `)
    return { sha: sha256(bytes), bytes, mime: 'text/plain' }
  })
  const events = [{ type: 'child.wrote', v: 1, shas: bodies.map(({ sha }) => sha) }]
  return { id, by: 'child', events, bodies }
}

async function append(): Promise<void> {
  const { journal } = await open()
  const { epoch, seq } = await journal.take(`child-${seed}`)
  let head = seq
  print('READY')
  for (let n = 0; ; n++) {
    // Each third round is a group.
    const batch = Array.from({ length: n % 3 === 0 ? 6 : 1 }, (_, which) => partsOf(`${seed}-${n}-${which}`, n))
    try {
      const answer = await journal.append(epoch, head, batch)
      if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
      for (const { id, events } of batch) {
        head += events.length
        print(`ACK ${id} ${head}`)
      }
    } catch (error) {
      const { name, message } = error instanceof Error ? error : { name: 'unknown', message: String(error) }
      print(`FAILED ${batch[0]?.id} ${name} ${message}`)
      const next = await journal.append(epoch, head, []).then(
        () => 'accepted',
        (refusal: unknown) => (refusal instanceof Error ? refusal.name : 'unknown'),
      )
      print(`THEN ${next}`)
      process.exit(3)
    }
  }
}

function partsOf(id: string, n: number) {
  // Each seventh is large enough to become a file.
  const bytes = Buffer.alloc(n % 7 === 0 ? 70_000 : 900, `${id} `)
  const sha = sha256(bytes)
  const parts = 1 + (n % 4)
  const events = Array.from({ length: parts }, (_, part) => ({ type: 'child.wrote', v: 1, n, part, parts, sha }))
  const envelopes = [envelopeOf(id, { body: sha })]
  return { id, by: 'child', events, bodies: [{ sha, bytes, mime: 'text/plain' }], envelopes }
}

const SELF = { node: 'child', address: 'child:1', mark: 'child' }
await (what === 'hold' ? hold() : what === 'node' ? hold({ self: SELF }) : what === 'forget' ? forget() : append())
