// Draws the app's icons: the mark of app/icon.svg on paper, in the sizes that phones and desktops ask for. Run it when
// the mark changes: node scripts/icons.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { inRoot } from './lib/paths.mjs'

const PAPER = [0xf7, 0xf4, 0xee]
const WHITE = [0xff, 0xff, 0xff]
/** The mark on its grid of 32, as in app/icon.svg: an agent, a wait (the dash), a person. */
const MARK = [
  { is: (x, y) => inRoundedBox(x, y, 2, 9, 14, 14, 4), colour: [0x0b, 0x61, 0x66] },
  { is: (x, y) => inRoundedBox(x, y, 16.7, 14.75, 1.6, 2.5, 0), colour: [0xb0, 0x76, 0x1d] },
  { is: (x, y) => (x - 25) ** 2 + (y - 16) ** 2 <= 36, colour: [0x86, 0x4a, 0x2c] },
]
const MARK_BOX = { left: 2, width: 29, middle: 16 }
/** Samples per pixel in each direction. */
const FINE = 4

/** name; px; share of the width that the mark takes; corners: radius as a share, 0: the whole square (others cut it). */
const ICONS = [
  { name: 'icon-192.png', px: 192, share: 0.74, corners: 0.22 },
  { name: 'icon-512.png', px: 512, share: 0.74, corners: 0.22 },
  { name: 'icon-maskable-512.png', px: 512, share: 0.56, corners: 0 },
  { name: 'apple-touch-icon.png', px: 180, share: 0.66, corners: 0 },
  // Android shows only its opacity.
  { name: 'badge-96.png', px: 96, share: 0.96, corners: null },
]

for (const icon of ICONS) {
  mkdirSync(inRoot('public'), { recursive: true })
  writeFileSync(
    join(inRoot('public'), icon.name),
    png(icon.px, (x, y) => colourAt(icon, x, y)),
  )
}

/** x, y from 0 to 1. out: red, green, blue, opacity from 0 to 1 */
function colourAt({ share, corners }, x, y) {
  const scale = MARK_BOX.width / share
  const [markX, markY] = [MARK_BOX.left + MARK_BOX.width / 2 + (x - 0.5) * scale, MARK_BOX.middle + (y - 0.5) * scale]
  const part = MARK.find(({ is }) => is(markX, markY))
  if (corners === null) return part ? [...WHITE, 1] : [0, 0, 0, 0]
  if (part) return [...part.colour, 1]
  return inRoundedBox(x, y, 0, 0, 1, 1, corners) ? [...PAPER, 1] : [0, 0, 0, 0]
}

function inRoundedBox(x, y, left, top, width, height, radius) {
  const [fromX, fromY] = [Math.max(left - x, x - left - width), Math.max(top - y, y - top - height)]
  if (fromX > 0 || fromY > 0) return false
  const [cornerX, cornerY] = [fromX + radius, fromY + radius]
  return cornerX <= 0 || cornerY <= 0 || cornerX ** 2 + cornerY ** 2 <= radius ** 2
}

/** A PNG with 8 bits a channel: header, one deflated block of rows, end. */
function png(px, colour) {
  const rows = Buffer.alloc(px * (px * 4 + 1))
  for (let row = 0; row < px; row++) {
    for (let column = 0; column < px; column++) {
      const sum = [0, 0, 0, 0]
      for (let point = 0; point < FINE * FINE; point++) {
        const [fineX, fineY] = [(point % FINE) + 0.5, Math.floor(point / FINE) + 0.5]
        const [red, green, blue, opacity] = colour((column + fineX / FINE) / px, (row + fineY / FINE) / px)
        for (const [at, value] of [red, green, blue].entries()) sum[at] += value * opacity
        sum[3] += opacity
      }
      const at = row * (px * 4 + 1) + 1 + column * 4
      for (let channel = 0; channel < 3; channel++)
        rows[at + channel] = sum[3] === 0 ? 0 : Math.round(sum[channel] / sum[3])
      rows[at + 3] = Math.round((sum[3] / FINE ** 2) * 255)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(px, 0)
  header.writeUInt32BE(px, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(checksum(body))
  return Buffer.concat([length, body, check])
}

/** The checksum of PNG chunks. */
function checksum(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
