/** A video in the composer: taken apart by the browser that shows the page. */
import type { Page } from '@playwright/test'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'

const app = serverForFile()
const SECONDS = 3

/** A recording of the browser itself, VP8 and a tone as Opus in WebM, which states no length. out: base64 */
const recorded = (page: Page): Promise<string> =>
  page.evaluate(async (seconds) => {
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d')
    const audio = new AudioContext()
    const tone = audio.createOscillator()
    const heard = audio.createMediaStreamDestination()
    tone.connect(heard)
    tone.start()
    const stream = new MediaStream([...canvas.captureStream(10).getTracks(), ...heard.stream.getTracks()])
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus' })
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
    await audio.close()
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, SECONDS)

test('002-4 [R188] a video becomes pictures named by their times and its sound beside it, and goes with them @desktop', {
  tag: '@all',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', '/tasks')
  await waitForLive(page)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByRole('textbox', { name: 'Message' }).fill('see the clip')
  const buffer = Buffer.from(await recorded(page), 'base64')
  await form.locator('input[type=file]').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer })
  const files = form.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(files.first()).toContainText('clip.webm')
  // One frame a second; the first of the list is the video itself, the last its sound.
  const soundFile = files.filter({ hasText: 'clip.webm sound.wav' })
  await expect(soundFile).toHaveAttribute('data-state', 'ready')
  const names = await files.allTextContents()
  expect(names.at(-1)).toContain('clip.webm sound.wav')
  expect(names.length).toBeGreaterThanOrEqual(SECONDS + 1)
  const times = names.slice(1, -1).map((name) => Number(/^clip\.webm at (\d+\.\d)s\.jpg/.exec(name)?.[1]))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(0)).toBeLessThan(1)
  expect(times.at(-1)).toBeGreaterThan(1)
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const said = page.getByRole('article', { name: 'see the clip' })
  await said.getByRole('button', { name: 'Show' }).first().click()
  const frame = said.getByRole('img', { name: /^clip\.webm at 0\.\ds\.jpg$/ })
  // A canvas without a size of its own is 300 points wide.
  await expect.poll(() => frame.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : 0))).toBe(300)
  await said.getByRole('button', { name: 'Play' }).click()
  const sound = said.getByLabel('clip.webm sound.wav', { exact: true })
  await expect.poll(() => sound.evaluate(lengthOf)).toBeGreaterThan(SECONDS / 2)
  // At another rate than the file states it would be several times as long.
  expect(await sound.evaluate(lengthOf)).toBeLessThan(SECONDS * 2)

  // Removed again, a video takes with it what was made from it.
  await form.locator('input[type=file]').setInputFiles([
    { name: 'clip.webm', mimeType: 'video/webm', buffer },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ])
  await expect(soundFile).toHaveAttribute('data-state', 'ready')
  await form.getByRole('button', { name: 'Remove clip.webm', exact: true }).click()
  await expect(files).toHaveCount(1)
  await expect(files).toContainText('notes.txt')
})

/** In seconds; 0: it cannot be played. */
const lengthOf = (sound: Element): number =>
  sound instanceof HTMLAudioElement && sound.readyState > 0 ? sound.duration : 0
