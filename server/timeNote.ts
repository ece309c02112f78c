/**
 * convene.time.json in the data folder: the time, and how long the machine had been running. After a restart of the server on the same
 * machine, without a restart of the machine, it shows whether its clock jumped while the server was stopped.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'

const FILE = 'convene.time.json'
const ms = z.number().nonnegative()
/** boot: of the running system. upMs: since its start; steadyMs: the same without sleep, also where the other is that of a container */
const noteShape = z.object({ at: ms, boot: z.string().min(1), upMs: ms, steadyMs: ms })
type Running = Omit<z.infer<typeof noteShape>, 'at'>

/** out: what the time must be now, epoch ms; undefined: unknown. in: clock: of the machine */
export function expectedTime(folder: string, running = runningMachine(), clock = Date.now): number | undefined {
  const note = noteIn(folder)
  if (note === null || running === null || note.boot !== running.boot) return undefined
  const passed = [running.upMs - note.upMs, running.steadyMs - note.steadyMs]
  // It was counted anew.
  if (passed.some((one) => one < 0)) return undefined
  const own = clock()
  // The clock may agree with either.
  const expected = passed.map((one) => note.at + one)
  return expected.reduce((a, b) => (Math.abs(a - own) < Math.abs(b - own) ? a : b))
}

/** in: at: epoch ms. A note that cannot be written is left out: it is only a help. */
export function noteTime(folder: string, at: number, running = runningMachine()): void {
  if (running === null) return
  const path = join(folder, FILE)
  try {
    writeFileSync(`${path}.tmp`, `${JSON.stringify({ at, ...running })}\n`, { mode: 0o600 })
    renameSync(`${path}.tmp`, path)
  } catch {
    // The disk is full, for example.
  }
}

function noteIn(folder: string): z.infer<typeof noteShape> | null {
  try {
    return noteShape.parse(jsonValueOf(readFileSync(join(folder, FILE), 'utf8')))
  } catch {
    return null
  }
}

/** null: the system does not say which start it is in */
function runningMachine(): Running | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, upMs: uptime() * 1_000, steadyMs: Number(process.hrtime.bigint() / 1_000_000n) }
  } catch {
    return null
  }
}
