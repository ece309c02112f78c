/** A data folder as a killed process leaves it: the newest decisions are only in the write-ahead log. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@/server/store/interfaces'
import { openSqliteStore } from '@/server/store/sqlite/openSqliteStore'
import { batchItem, bodyOfBytes, noise, said } from '../storeContract/harness'

/** in: between: run before the last two decisions. out: the number of the last entry, and that before the last decision */
export async function leaveLog(
  folder: string,
  decisions: number,
  between: () => void = () => {},
): Promise<{ head: number; before: number }> {
  const open = `${folder}-open`
  const store = await openSqliteStore(open)
  try {
    const { epoch, seq } = await store.journal.take('north')
    let [head, before] = [seq, 0]
    for (let n = 0; n < decisions; n++) {
      if (n === decisions - 1) between()
      before = head
      head = await append(store, epoch, head, n)
    }
    await store.accounts.setPassword('ana', 'a hash')
    before = head
    head = await append(store, epoch, head, decisions)
    await cp(open, folder, { recursive: true })
    return { head, before }
  } finally {
    await store.close()
  }
}

async function append({ journal }: Store, epoch: number, head: number, n: number): Promise<number> {
  const body = bodyOfBytes(noise(n % 5 === 0 ? 70_000 : 3_000, n))
  const answer = await journal.append(epoch, head, [
    batchItem(`c${n}`, [said(`text ${n} `.repeat(40), { sha: body.sha }), said(`and ${n}`)], { bodies: [body] }),
  ])
  if (answer.r !== 'OK') throw new Error(answer.r)
  return answer.last
}

/** Names, sizes, times and contents of all files below a folder. */
export function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mtimeNs, size, mode } = statSync(join(folder, name), { bigint: true })
      const isFile = statSync(join(folder, name)).isFile()
      const hash = isFile
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : 'a folder'
      return `${name} ${mode} ${size} ${mtimeNs} ${hash}`
    })
}
