// Child processes with a time limit.
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './paths.mjs'
import { say } from './say.mjs'

const running = new Set()

/** Environment of all child processes: Next sends no telemetry and does not patch the lock file. */
const childEnvironment = (extra = {}) => ({
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
  ...extra,
})

/**
 * Run a program until it exits.
 *
 * in      command and arguments; `quiet` captures the output instead of showing it
 * out     {code, output, timedOut}; code is 127 for a missing program, output is '' unless quiet, and without colours
 * units   limitMs; at the limit the program and its children are killed
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{limitMs: number, quiet?: boolean, env?: Record<string, string>, shell?: boolean, cwd?: string}} options
 * @returns {Promise<{code: number, output: string, timedOut: boolean}>}
 */
export function run(command, args, { limitMs, quiet = false, env = {}, shell = false, cwd = ROOT }) {
  return new Promise((resolve) => {
    const ownGroup = process.platform !== 'win32'
    const child = spawn(command, args, {
      cwd,
      env: childEnvironment(env),
      shell,
      // A process group of its own, so that a time limit also ends its children (browsers, workers).
      detached: ownGroup,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    const entry = { end: (signal) => endTree(child, signal, ownGroup) }
    running.add(entry)
    let output = ''
    let timedOut = false
    const collect = (chunk) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    const limit = setTimeout(() => {
      timedOut = true
      entry.end('SIGTERM')
      setTimeout(() => entry.end('SIGKILL'), 5_000).unref()
    }, limitMs)
    const done = (code) => {
      clearTimeout(limit)
      running.delete(entry)
      resolve({ code, output: stripVTControlCharacters(output), timedOut })
    }
    child.on('error', (error) => done(error.code === 'ENOENT' ? 127 : 126))
    child.on('close', (code, signal) => done(code ?? (signal ? 128 : 1)))
  })
}

/** Run a JavaScript program with this Node. */
export const runNode = (args, options) => run(process.execPath, args, options)

/** Children receive SIGINT and SIGTERM first; then this process exits with the code that shells expect. */
export function passSignals() {
  const stop = (signal, code) => {
    for (const entry of running) entry.end(signal)
    setTimeout(() => process.exit(code), running.size === 0 ? 0 : 3_000)
  }
  process.on('SIGINT', () => stop('SIGINT', 130))
  process.on('SIGTERM', () => stop('SIGTERM', 143))
  whenNpmIsGone(() => stop('SIGTERM', 143))
}

/** npm's shell may exit without passing signals on; a changed parent process reveals it. */
function whenNpmIsGone(stop) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 200)
  watch.unref()
}

/** Run a server as this process: pass signals on (except Ctrl+C, which reaches it directly), exit with its code. */
export function become(command, args, { env = {} } = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: childEnvironment(env), stdio: 'inherit' })
  let handedOn = false
  const handOn = (signal) => {
    if (handedOn && signal === 'SIGINT') return
    handedOn = true
    // The terminal has sent Ctrl+C to the child already; a second signal would mean "stop at once".
    if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => handOn(signal))
  whenNpmIsGone(() => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      say(`${command}: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

function endTree(child, signal, ownGroup) {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    if (ownGroup) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It exited between the check and the call.
  }
}
