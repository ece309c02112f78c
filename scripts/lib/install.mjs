// Installs the locked dependencies.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { readStamp, writeStamp } from './fingerprint.mjs'
import { inRoot, ROOT } from './paths.mjs'
import { run } from './run.mjs'
import { CannotGoOn, duration, say } from './say.mjs'

const STAMP = inRoot('node_modules', '.convene-stamp')
const INSTALL_LIMIT_MS = 15 * 60_000
const NEEDED_BYTES = 1_200_000_000

export const isInstalled = () => readStamp(STAMP) === installStamp()

/** Installs package-lock.json, unless this Node has installed the same lock before. */
export async function ensureInstalled() {
  const wanted = installStamp()
  if (readStamp(STAMP) === wanted) return
  requireWritable()
  say('Installing the locked dependencies. This happens once and takes about half a minute …')
  warnOfSmallDisk()
  const from = Date.now()
  const heartbeat = setInterval(() => say(`  still installing, ${duration(Date.now() - from)}`), 15_000)
  // `npm ci` refuses a lock without other platforms' optional packages. This respects the lock and does not change it.
  const { command, args } = npm([
    'install',
    '--no-save',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  const result = await run(command, args, { limitMs: INSTALL_LIMIT_MS, quiet: true, shell: command === 'npm.cmd' })
  clearInterval(heartbeat)
  if (result.code !== 0) throw explain(result)
  writeStamp(STAMP, wanted)
  say(`Installed in ${duration(Date.now() - from)}.`)
}

function installStamp() {
  const lock = inRoot('package-lock.json')
  if (!existsSync(lock))
    throw new CannotGoOn('package-lock.json is missing.', [
      'Clone Convene again, or restore the file: git checkout package-lock.json',
    ])
  const major = process.versions.node.split('.')[0]
  return createHash('sha256')
    .update(readFileSync(lock))
    .update(`\0${major}\0${process.platform}\0${process.arch}`)
    .digest('hex')
}

/** The npm that started this script, with its version and settings; else the one on the PATH. */
function npm(args) {
  const own = process.env.npm_execpath
  if (own !== undefined && /npm-cli\.[cm]?js$/.test(own)) return { command: process.execPath, args: [own, ...args] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args }
}

function requireWritable() {
  try {
    accessSync(ROOT, constants.W_OK)
  } catch {
    throw new CannotGoOn(`this user may not write to ${ROOT}.`, [
      'Convene installs its dependencies and builds its pages there.',
      'Change the owner of the folder, or clone Convene to a folder of your own.',
    ])
  }
}

function warnOfSmallDisk() {
  if (statfsSync === undefined) return
  const { bavail, bsize } = statfsSync(ROOT)
  if (bavail * bsize < NEEDED_BYTES) {
    say(
      `  The disk has ${Math.round((bavail * bsize) / 1e6)} MB free; about ${Math.round(NEEDED_BYTES / 1e6)} MB are needed.`,
    )
  }
}

const CAUSES = [
  {
    signs: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|network/i,
    message: 'the npm registry could not be reached.',
    lines: [
      'The dependencies come from there once; afterwards Convene needs no network to start.',
      'Check the network or the proxy. `npm config get registry` shows the address that npm uses.',
    ],
  },
  {
    signs: /ENOSPC/,
    message: 'the disk is full.',
    lines: ['About 1.2 GB are needed for the dependencies and the build.'],
  },
  {
    signs: /EACCES|EPERM|EROFS/,
    message: 'this user may not write where npm wants to write.',
    lines: ['Check the owner of this folder and of the npm cache (`npm config get cache`).'],
  },
  {
    signs: /E401|E403/,
    message: 'the npm registry refused access.',
    lines: ['`npm config get registry` shows the address that npm uses; it may want you to sign in.'],
  },
  {
    signs: /E404|ETARGET|notarget/,
    message: 'the npm registry does not have one of the locked versions.',
    lines: ['`npm config get registry` shows the address that npm uses; a mirror may lag behind.'],
  },
]

function explain({ code, output, timedOut }) {
  if (code === 127) return new CannotGoOn('npm was not found.', ['It comes with Node: https://nodejs.org'])
  const tail = output
    .trim()
    .split('\n')
    .filter((line) => !/^npm error\s+at /.test(line))
    .slice(-8)
    .map((line) => `npm: ${line}`)
  if (timedOut) return new CannotGoOn(`installing took longer than ${duration(INSTALL_LIMIT_MS)}.`, tail)
  const cause = CAUSES.find(({ signs }) => signs.test(output))
  return new CannotGoOn(cause?.message ?? 'installing the dependencies failed.', [...(cause?.lines ?? []), ...tail])
}
