// Draws the app's icons from app/icon.svg. Run it when the mark changes: node scripts/icons.mjs
import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { BROWSER_FLAGS, ensureBrowser } from './browser.mjs'
import { inRoot } from './lib/paths.mjs'

const PAPER = '#f7f4ee'
const MARK = readFileSync(inRoot('app', 'icon.svg'), 'utf8').replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
/** The extent of the mark on its grid of 32. */
const MARK_BOX = { middleX: 16.5, middleY: 16, width: 29 }

/** share: of the width, taken by the mark; corners: radius as a share of the width; null: only the shape, in white. */
const ICONS = [
  { name: 'icon-192.png', px: 192, share: 0.74, corners: 0.22 },
  { name: 'icon-512.png', px: 512, share: 0.74, corners: 0.22 },
  { name: 'icon-maskable-512.png', px: 512, share: 0.56, corners: 0 },
  { name: 'apple-touch-icon.png', px: 180, share: 0.66, corners: 0 },
  // Android shows only its opacity.
  { name: 'badge-96.png', px: 96, share: 0.96, corners: null },
]

const browser = await chromium.launch({ executablePath: await ensureBrowser({ isShell: true }), args: BROWSER_FLAGS })
const page = await browser.newPage()
for (const { name, px, share, corners } of ICONS) {
  const size = MARK_BOX.width / share
  const [x, y] = [MARK_BOX.middleX - size / 2, MARK_BOX.middleY - size / 2]
  const paper = `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="${(corners ?? 0) * size}" fill="${PAPER}"/>`
  const drawn = corners === null ? MARK.replace(/#[0-9a-f]{6}/g, '#fff') : paper + MARK
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${size} ${size}">${drawn}</svg>`
  await page.setViewportSize({ width: px, height: px })
  await page.setContent(`<body style="margin:0">${svg}`)
  await page.screenshot({ path: inRoot('public', name), omitBackground: true })
}
await browser.close()
