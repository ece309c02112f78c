/** A store that survives failed handles: after a failed write it tries a new handle every 5 s and uses the first that can write. */

import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage } from '@/server/shared/errors'
import { openListeners } from '@/server/shared/listeners'
import { later, type Schedule } from '../../shared/later'
import { StoreBrokenError, StoreTooNewError } from '../errors'
import type { Store, StoreState } from '../interfaces'

/** The parts of a store on one handle. */
export type Handle = Omit<Store, 'state' | 'onState' | 'now' | 'clock'> & {
  /** Test a durable write, without leaving data. faults: StoreBrokenError */
  prove(): void
}

export const PROBE_MS = 5_000
/** Free space required before writing is tried again; with less it would soon fail again. */
const ROOM_BYTES = 1024 * 1024

/**
 * Open a handle and use it as long as it can write; then the next one.
 *
 * in      open: a new handle, with a callback for its first failure; the data folder
 * faults  those of the first opening
 */
export function lastingStore(
  open: (onBroke: (error: StoreBrokenError) => void) => Handle,
  folder: string,
  schedule: Schedule = later,
): Omit<Store, 'now' | 'clock'> {
  let state: StoreState = { is: 'ok' }
  let isClosed = false
  let stopProbe: (() => void) | null = null
  let probing: Promise<void> | null = null
  const changes = openListeners<[StoreState]>()
  let handle = openNext()
  const { id } = handle.journal

  function openNext(): Handle {
    const next: Handle = open((error) => {
      // A handle that is only tested reports it by an error.
      if (next === handle) onBroke(error)
    })
    return next
  }

  function become(next: StoreState): void {
    if (isClosed) return
    state = next
    changes.tell(next)
  }

  function onBroke(error: StoreBrokenError): void {
    if (isClosed || state.is !== 'ok') return
    if (error.mayPass) probeLater()
    become({ is: error.mayPass ? 'refusing' : 'lost', reason: error.message })
  }

  function probeLater(): void {
    if (isClosed) return
    stopProbe = schedule(() => {
      probing = probe()
    }, PROBE_MS)
  }

  async function probe(): Promise<void> {
    let next: Handle | null = null
    try {
      await proveRoom(folder)
      if (isClosed) return
      next = openNext()
      if (next.journal.id !== id) throw new GoneError('another journal lies in its place')
      next.prove()
    } catch (error) {
      await next?.close().catch(() => {})
      if (isForGood(error)) become({ is: 'lost', reason: errorMessage(error) })
      else probeLater()
      return
    }
    const old = handle
    handle = next
    become({ is: 'ok' })
    await old.close().catch(() => {})
  }

  /** That part of the current handle. */
  const partOf = <Part extends object>(part: (of: Handle) => Part): Part =>
    new Proxy(part(handle), { get: (_, name) => Reflect.get(part(handle), name) })

  return {
    state: () => state,
    onState: changes.on,
    journal: partOf((of) => of.journal),
    archive: partOf((of) => of.archive),
    bodies: partOf((of) => of.bodies),
    snapshots: partOf((of) => of.snapshots),
    people: partOf((of) => of.people),
    accounts: partOf((of) => of.accounts),
    search: partOf((of) => of.search),
    steps: partOf((of) => of.steps),
    counters: partOf((of) => of.counters),
    envelopes: partOf((of) => of.envelopes),
    verify: (range) => handle.verify(range),
    async close() {
      isClosed = true
      stopProbe?.()
      await probing
      await handle.close()
    },
  }
}

class GoneError extends Error {}

/** A retry would not help: the folder is missing, or another one is there now. */
function isForGood(error: unknown): boolean {
  if (error instanceof GoneError || error instanceof StoreTooNewError) return true
  return error instanceof StoreBrokenError && /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error.cause))
}

/** A file that is written, synced and removed again. faults: GoneError, errors of the file system */
async function proveRoom(folder: string): Promise<void> {
  const path = join(folder, 'convene.db')
  await stat(path).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? new GoneError(`${path} is gone`) : error
  })
  const bodies = join(folder, 'bodies')
  await mkdir(bodies, { recursive: true, mode: 0o700 })
  const probe = join(bodies, `${randomUUID()}.tmp`)
  try {
    const file = await open(probe, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(ROOM_BYTES))
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    await rm(probe, { force: true })
  }
}
