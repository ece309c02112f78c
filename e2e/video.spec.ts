/** A video in the composer: taken apart by the browser that shows the page. */
import type { Page } from '@playwright/test'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'

const app = serverForFile()
const SECONDS = 3

/** A recording of the browser itself, VP8 in WebM, which states no length. out: base64 */
const recorded = (page: Page): Promise<string> =>
  page.evaluate(async (seconds) => {
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm;codecs=vp8' })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    const isOver = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    let from = Number.POSITIVE_INFINITY
    // A busy browser begins to record later than it is asked to, with the first picture.
    recorder.addEventListener('start', () => {
      from = performance.now()
    })
    recorder.start()
    const draw = (): void => {
      const passed = Math.max(0, performance.now() - from)
      if (pen !== null) pen.fillStyle = `hsl(${Math.round(passed / 20) % 360} 80% 50%)`
      pen?.fillRect(0, 0, canvas.width, canvas.height)
      if (passed < seconds * 1_000) requestAnimationFrame(draw)
      else recorder.stop()
    }
    draw()
    await isOver
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, SECONDS)

test('002-4 [R188] a video becomes pictures named by their times beside it, and goes with them @desktop', async ({
  open,
}) => {
  const page = await open(app.server, 'olga', '/tasks')
  await waitForLive(page)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByRole('textbox', { name: 'Message' }).fill('see the clip')
  const buffer = Buffer.from(await recorded(page), 'base64')
  await form.locator('input[type=file]').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer })
  const files = form.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(files.first()).toContainText('clip.webm')
  // One frame a second, and the first of the list is the video itself.
  await expect.poll(() => files.count()).toBeGreaterThanOrEqual(SECONDS)
  const names = await files.allTextContents()
  const times = names.slice(1).map((name) => Number(/^clip\.webm at (\d+\.\d)s\.jpg/.exec(name)?.[1]))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(0)).toBeLessThan(1)
  expect(times.at(-1)).toBeGreaterThan(1)
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const said = page.getByRole('article', { name: 'see the clip' })
  await said.getByRole('button', { name: 'Show' }).first().click()
  const frame = said.getByRole('img', { name: /^clip\.webm at 0\.\ds\.jpg$/ })
  // A canvas without a size of its own is 300 points wide.
  await expect.poll(() => frame.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : 0))).toBe(300)
})
