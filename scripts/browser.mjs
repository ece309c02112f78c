// A Chromium for the browser tests.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './lib/run.mjs'
import { CannotGoOn, duration, main, say } from './lib/say.mjs'

/** The engine without windows, push and profiles: a test needs a third less CPU time than in the full browser. */
const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']

/** Flags of browsers under test: no sandbox (tests run as root in containers), no background requests. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Containers often have 64 MB of shared memory; a long page would crash its renderer.
  '--disable-dev-shm-usage',
  // Renders text independently of the machine's settings, since screenshots are compared.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  // The last five are ours: a spare process costs a test a sixth of its time, a process for sound a hundredth, and drawing address
  // bar suggestions that nobody sees costs more than one of our pages. The others are those that the test runner disables; a later
  // list replaces an earlier one.
  `--disable-features=${[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'SpareRendererForSitePerProcess',
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'AudioServiceOutOfProcess',
  ].join(',')}`,
]

/**
 * The path of an installed browser that starts (CONVENE_BROWSER first), or undefined. Throws CannotGoOn for an invalid setting.
 *
 * in  isShell: a browser without windows suffices and is preferred
 */
export function findBrowser({ isShell = false } = {}) {
  const named = process.env.CONVENE_BROWSER
  if (named) {
    if (existsSync(named)) return named
    throw new CannotGoOn(`CONVENE_BROWSER names ${named}, which is not there.`, [
      'Name a Chromium or Chrome, or leave it unset.',
    ])
  }
  const shell = isShell ? onPath([SHELL]) : []
  return [...shell, ...onPath(NAMES), ...usualPlaces(), ...playwrightsOwn()].find(
    (path) => existsSync(path) && starts(path),
  )
}

/**
 * A browser; installed if necessary and possible: as root on Debian and derivatives, from their packages only.
 *
 * in  isShell: a browser without windows suffices
 */
export async function ensureBrowser({ isShell = false } = {}) {
  const found = findBrowser({ isShell })
  if (found !== undefined) return found
  if (isRootOnDebian()) {
    say('No Chromium or Chrome was found for the browser tests.')
    for (const name of isShell ? [SHELL, 'chromium'] : ['chromium']) {
      say(`Installing one by apt-get (${name}, and fonts-noto-cjk for Chinese text); about a minute …`)
      const from = Date.now()
      await aptInstall([name, 'fonts-noto-cjk'])
      const installed = findBrowser({ isShell })
      if (installed === undefined) continue
      say(`  ${installed}, after ${duration(Date.now() - from)}`)
      return installed
    }
  }
  throw new CannotGoOn('there is no browser for the browser tests, and none could be installed here.', [
    'Install Chromium or Chrome (Debian and Ubuntu, as root: apt-get install chromium fonts-noto-cjk),',
    'or name one: CONVENE_BROWSER=/path/to/chrome npm test',
    'The other parts run without one: npm test -- checks, npm test -- unit',
  ])
}

/** The font of Chinese text in the reference screenshots (e2e/pictures); '' when unknown. */
export function chineseFont() {
  try {
    return execFileSync('fc-match', ['Noto Sans CJK SC', '--format=%{family[0]}'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
  } catch {
    return ''
  }
}

/** Installs the font of Chinese text if possible; without it, screenshots with such text differ and say why. */
export async function ensureFonts() {
  if (process.platform !== 'linux' || chineseFont().startsWith('Noto Sans CJK')) return
  if (!isRootOnDebian()) return
  say('No typeface for Chinese was found for the pictures. Installing fonts-noto-cjk …')
  await aptInstall(['fonts-noto-cjk'])
}

function onPath(names) {
  const endings = process.platform === 'win32' ? ['.exe'] : ['']
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ]
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean)
    const places = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ]
    return roots.flatMap((root) => places.map((place) => join(root, place)))
  }
  return ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium']
}

function playwrightsOwn() {
  try {
    return [createRequire(import.meta.url)('@playwright/test').chromium.executablePath()]
  } catch {
    return []
  }
}

/** A file named chromium may be a stub that only suggests a package, or lack libraries. */
function starts(path) {
  // Chrome on Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true
  try {
    return /\d+\.\d+/.test(
      execFileSync(path, ['--version'], { timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    )
  } catch {
    return false
  }
}

const isRootOnDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

async function aptInstall(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env, limitMs: 180_000, quiet: true })
  const { code, output } = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
    env,
    limitMs: 480_000,
    quiet: true,
  })
  if (code !== 0) for (const line of output.trim().split('\n').slice(-4)) say(`  apt-get: ${line}`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => say(await ensureBrowser()))
}
