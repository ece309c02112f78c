// A lock between scripts.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inRoot } from './paths.mjs'
import { CannotGoOn, duration, say } from './say.mjs'

const LOCK = inRoot('dist', 'turn.lock')
const WAIT_LIMIT_MS = 20 * 60_000

/** Run work while no other script of this project holds the lock; waits for it, with a message. */
export async function inTurn(work) {
  await take()
  const release = () => rmSync(LOCK, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    release()
    process.removeListener('exit', release)
  }
}

async function take() {
  const from = Date.now()
  let said = false
  while (!tryTake()) {
    const holder = holderOf()
    if (holder !== undefined && !isAlive(holder)) {
      rmSync(LOCK, { force: true })
      continue
    }
    if (holder !== undefined && !said) {
      say(`Another start or test (process ${holder}) is installing or building here. Waiting for it …`)
      said = true
    }
    if (Date.now() - from > WAIT_LIMIT_MS)
      throw new CannotGoOn(`process ${holder ?? '?'} did not finish within ${duration(WAIT_LIMIT_MS)}.`, [
        `If it is not a start of Convene, remove ${LOCK}.`,
      ])
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

function tryTake() {
  try {
    mkdirSync(dirname(LOCK), { recursive: true })
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new CannotGoOn(`this user may not write to ${dirname(LOCK)} (${error.code}).`, [
      'Convene builds its pages and its server there.',
      'Change the owner of the folder, or clone Convene to a folder of your own.',
    ])
  }
}

/** The process that holds the lock; undefined: the lock is being written, or was just removed. */
function holderOf() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'))
    return Number.isInteger(holder) && holder > 0 ? holder : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
