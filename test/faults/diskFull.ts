/** A full disk under the data folder, and space again. Linux, as root: the disk is a tmpfs. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPerson, type Person } from '../../e2e/fixtures/person'
import { type PersonName, startServer } from '../../e2e/fixtures/server'
import { baseTaskOf, openAll } from './kills'
import { demand, randomOf, type Scenario, until } from './scenario'
import { compareWithJournal, startSenders } from './senders'

const SENDERS: readonly PersonName[] = ['olga', 'ben', 'dana', 'lee']
const DISK = '96m'
/** What is left when the server stands; its log of the database may still grow. */
const ROOM_BYTES = 1_500_000
const FULL_WITHIN_MS = 120_000
/** The store tries again every 5 s. */
const BACK_WITHIN_MS = 20_000
const TIMES = { short: 1, all: 2 }

export const diskFull: Scenario = {
  name: 'disk-full',
  holds:
    'On a full disk every command is refused in words and reading goes on; with space again writing comes back by itself, nothing lost or doubled.',
  lacks: () => (mayMount() ? null : 'root and mount'),
  async run(size, seed) {
    const folder = mounted()
    const dataFolder = join(folder, 'data')
    try {
      const server = await startServer({ delayMs: 3, dataFolder })
      try {
        const ana = await openPerson(server, 'ana')
        const people = await openAll(SENDERS, (name) => openPerson(server, name))
        const base = await baseTaskOf(ana)
        const senders = startSenders(people, base, randomOf(seed))
        let acknowledgedBefore = 0
        const backMs: number[] = []
        for (let time = 0; time < TIMES[size]; time++) {
          const ballast = join(folder, 'ballast')
          await fillUp(folder, ballast)
          await until('a command is refused', () => refusals(senders.refused) > 0, FULL_WITHIN_MS)
          await until('a command is refused with 503', () => isRefused(ana), FULL_WITHIN_MS)
          const tasks = await ana.get<Record<string, unknown>>('/api/states?type=task')
          demand(Object.keys(tasks).length > 0, 'reading did not go on')
          demand(server.exitCode() === null, `the server ended with ${server.exitCode()}`)
          acknowledgedBefore = acknowledged(senders.sent)
          rmSync(ballast)
          const from = performance.now()
          await until('writing comes back', () => acknowledged(senders.sent) > acknowledgedBefore, BACK_WITHIN_MS)
          backMs.push(Math.round(performance.now() - from))
          senders.refused.clear()
        }
        await senders.stop()
        for (const person of [ana, ...Object.values(people)]) person.close()
        await server.kill()
        return {
          times: TIMES[size],
          'writing again after, ms': backMs.join(', '),
          ...(await compareWithJournal({ databaseUrl: null, dataFolder }, senders.sent)),
        }
      } finally {
        await server.stop()
      }
    } finally {
      unmount(folder)
    }
  },
}

/**
 * Does a command get 503 now? Between two refusals a try of the store may succeed: then this one is told that there is no such message.
 *
 * faults  Error on any other answer
 */
async function isRefused(person: Person): Promise<boolean> {
  const { status, body } = await person.post('/api/messages/none/done')
  demand([503, 404].includes(status), `a command on a full disk got ${status}: ${JSON.stringify(body)}`)
  return status === 503
}

/** A disk of its own. faults: Error without the right to mount */
function mounted(): string {
  const folder = mkdtempSync(join(tmpdir(), 'convene-disk-'))
  try {
    const options = `size=${DISK},mode=0700`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'convene-faults', folder], { stdio: 'pipe' })
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
}

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    unmount(mounted())
    return true
  } catch {
    return false
  }
}

const acknowledged = (sent: readonly { outcome: string }[]): number =>
  sent.filter(({ outcome }) => outcome === 'acknowledged').length

const refusals = (refused: ReadonlyMap<string, number>): number =>
  [...refused.values()].reduce((sum, count) => sum + count, 0)

/** Leave little room on the disk. */
async function fillUp(folder: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const file = await open(ballast, 'w')
  try {
    const piece = Buffer.alloc(1024 * 1024)
    for (let left = bavail * bsize - ROOM_BYTES; left > 0; left -= piece.length)
      await file.write(piece, 0, Math.min(left, piece.length))
  } catch (error) {
    // The server took the rest meanwhile: the disk is full, as it should be.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
}
