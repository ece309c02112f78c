/** Journey 19: a finished task begins with its result; its files open in the page; a task can be taken along. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { pdfOf } from './fixtures/pdf'
import { finishTask, sendMessage } from './fixtures/work'

const app = serverForFile()
const FINISHED_WITHIN_MS = 90_000

const finished = new Map<string, Promise<string>>()
/** The task about this folder, played once. */
const taskOf = (folder: string): Promise<string> => {
  const known = finished.get(folder) ?? finishTask(app.server, folder)
  finished.set(folder, known)
  return known
}
const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(app.server.workspace, path, '..'), { recursive: true })
  writeFileSync(join(app.server.workspace, path), content)
}

// The browser logs each refused request.
test.use({ allowedTroubles: /status of 404/ })

test.beforeEach(() => test.setTimeout(FINISHED_WITHIN_MS + 60_000))

test('[R113] a finished task begins with its result, whose file opens in the page and can be saved', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const page = await open(app.server, 'ana', await taskOf('depot'))
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toBeVisible()
  await expect(result.getByText('Model calls')).toBeVisible()
  // Headline and facts of the manager; decisions, files and costs from records.
  await expect(result.getByText('Compare depot: price 3.50 in total, from 2 files.')).toBeVisible()
  const total = result.getByRole('table', { name: 'Facts' }).getByRole('row', { name: /^Total of price 3\.50/ })
  await expect(total.getByRole('link', { name: 'depot/report.md' })).toBeVisible()
  await expect(result.getByRole('link', { name: 'Write depot/report.md' })).toHaveAttribute('href', /^\/requests\//)
  await expect(result.getByText('Ana approved')).toBeVisible()
  await expect(result.getByRole('listitem').filter({ hasText: 'Ana answered' })).toContainText('“1.10”')
  await expect(result).toContainText(/Questions\s*1/)
  await expect(result).toContainText(/Approvals\s*1/)
  await result.getByRole('button', { name: 'Preview report.md' }).click()
  await expect(result.getByRole('article', { name: 'report.md' }).getByRole('table').first()).toBeVisible()
  await result.getByRole('button', { name: 'Hide report.md' }).click()
  // The chat does not repeat the summary.
  const end = page
    .getByRole('log', { name: /^Group chat of/ })
    .locator('[data-kind=system]')
    .last()
  await expect(end).toHaveText(/^The task Compare depot is finished\. \d\d:\d\d$/)
  await result.getByRole('link', { name: 'report.md', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'report.md', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/files\/depot\/report\.md$/)
  // Drawn, not as it was written.
  await expect(page.getByRole('article', { name: 'report.md' }).getByRole('table').first()).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('report.md')
  const text = readFileSync(join(app.server.workspace, 'depot/report.md'), 'utf8')
  expect(readFileSync(await saved.path(), 'utf8')).toBe(text)
  const versions = page.getByRole('region', { name: '1 version' })
  await versions.getByRole('link', { name: /, open the step$/ }).click()
  await expect(page).toHaveURL(/\/tasks\/.+inspect=StepState_/)
  // Its row says how far its plan went, though it is over.
  await navigateTo(page, '/tasks')
  await expect(page.getByRole('row', { name: /Compare depot/ })).toContainText(/(\d+) of \1(?!\d)/)
})

test('[R482] a result is saved as Markdown, printed alone, and asked for again', { tag: ['@desktop', '@all'] }, async ({
  open,
}) => {
  const page = await open(app.server, 'ana', await taskOf('depot'))
  const result = page.getByRole('region', { name: 'Result' })
  const saving = page.waitForEvent('download')
  await result.getByRole('link', { name: 'Download', exact: true }).click()
  const text = readFileSync(await (await saving).path(), 'utf8')
  expect(text).toMatch(/^# Compare depot\n\n\*\*Compare depot: price 3\.50 in total, from 2 files\.\*\*\n\n\| Fact \|/)
  for (const part of ['| Total of price | 3.50 | depot/report.md |', '## Decisions', '## Files', '## What it cost'])
    expect(text).toContain(part)
  await page.emulateMedia({ media: 'print' })
  await expect(result.getByText('Compare depot', { exact: true })).toBeVisible()
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeHidden()
  await expect(result.getByRole('button', { name: 'Copy as Markdown' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await result.getByRole('link', { name: 'Ask again…' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toHaveValue(/Compare the lists in depot/)
})

test('[R310] a file with a Chinese name is a link in a sentence, without the words before it', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  put('仓库/价格报告.md', '# 价格\n')
  const page = await open(app.server, 'ana', '/tasks')
  await waitForLive(page)
  await sendMessage(page, 'ben', '我把结果写到仓库/价格报告.md里了。', 'fyi')
  await page
    .getByRole('row', { name: /^Requests/ })
    .getByRole('link', { name: 'Requests' })
    .click()
  const log = page.getByRole('log', { name: /^Group chat of/ })
  await expect(log.getByRole('link', { name: '仓库/价格报告.md', exact: true })).toBeVisible()
})

test('[R113] the result stands in the inbox too, and what agents wrote is drawn there', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  // Nobody has opened its page.
  await taskOf('attic')
  const page = await open(app.server, 'ana', '/inbox')
  const ended = page.getByRole('listitem').filter({ hasText: 'Compare attic: price 3.50 in total' })
  await ended.getByRole('link').click()
  const told = page.getByRole('article').filter({ has: page.getByRole('region', { name: 'Result' }) })
  await expect(told.getByRole('link', { name: 'report.md', exact: true })).toBeVisible()
  await expect(told).not.toContainText('| --- |')
  await expect(told).not.toContainText('## ')
})

test('[R114] the name of a file is a link where the file can be opened', { tag: '@phone-in-all' }, async ({ open }) => {
  const page = await open(app.server, 'ana', await taskOf('depot'))
  const log = page.getByRole('log', { name: /^Group chat of/ })
  // A source whose call names the file is a link of its own, to its panel.
  await log.getByRole('link', { name: 'depot/report.md', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'report.md', level: 1 })).toBeVisible()
})

test('[R114] files are listed by folder, the newest first, and shown by their kind', { tag: '@phone-in-all' }, async ({
  open,
}) => {
  put('kinds/list.csv', 'item,price\n"bolt, long",1.10\n')
  put('kinds/data.json', '{"bolt": 1.1}')
  put('kinds/page.html', '<script>document.title = "run"</script>')
  put('kinds/huge.txt', 'x'.repeat(1024 * 1024 + 1))
  put('kinds/raw.bin', new Uint8Array([0, 1, 2]))
  put('kinds/a b #%.md', '# Odd name')
  put('kinds/quote.pdf', pdfOf('Bolts cost 1.10', 'Nuts cost 0.40'))
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
  await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'kinds' }).click()
  const opened = async (name: string): Promise<void> => {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  const back = () =>
    page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'kinds' }).click()
  await opened('list.csv')
  await expect(page.getByRole('cell', { name: 'bolt, long' })).toBeVisible()
  await back()
  await opened('data.json')
  await expect(page.getByRole('tree', { name: 'JSON of data.json' })).toContainText('bolt')
  await back()
  await opened('page.html')
  await expect(page.getByText('<script>document.title = "run"</script>')).toBeVisible()
  expect(await page.title()).not.toBe('run')
  await back()
  await opened('huge.txt')
  await expect(page.getByText(/download it to see it whole/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible()
  await back()
  await opened('quote.pdf')
  const first = page.getByRole('figure', { name: 'Page 1 of 2' })
  await expect(first).toContainText('Bolts cost 1.10')
  // Something is drawn: not every pixel of the canvas is of one colour.
  const colours = () =>
    first.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const { data = [] } = (width > 0 && canvas.getContext('2d')?.getImageData(0, 0, width, height)) || {}
      return new Set(new Uint32Array(Uint8Array.from(data).buffer)).size
    })
  await expect.poll(colours).toBeGreaterThan(2)
  await expect(page.getByRole('figure', { name: 'Page 2 of 2' })).toContainText('Nuts cost 0.40')
  // As a source leads to it: the cited words are on the second page, 72 points from the left and 118 from the top.
  await navigateTo(page, '/files/kinds/quote.pdf?page=2&box=72,118,300,150')
  const cited = page.getByRole('img', { name: 'Cited place' })
  await expect(cited).toBeInViewport()
  const share = await cited.evaluate((box) => {
    const [on, sheet] = [box.getBoundingClientRect(), box.parentElement?.getBoundingClientRect() ?? new DOMRect()]
    return { left: (on.x - sheet.x) / sheet.width, top: (on.y - sheet.y) / sheet.height }
  })
  expect(share.left).toBeCloseTo(72 / 595, 2)
  expect(share.top).toBeCloseTo(118 / 842, 2)
  await back()
  await opened('raw.bin')
  await expect(page.getByText(/can't be shown here/)).toBeVisible()
  await back()
  await opened('a b #%.md')
  await expect(page.getByRole('article').getByRole('heading', { name: 'Odd name' })).toBeVisible()
})

test('[R114] the versions of a file say who, when and what changed', { tag: '@desktop' }, async ({ open }) => {
  const task = await taskOf('yard')
  const page = await open(app.server, 'ana', '/files/yard/report.md')
  await page.getByRole('radio', { name: 'Changes' }).check({ force: true })
  await expect(page.getByRole('figure', { name: 'Changes of report.md' })).toContainText(/lines? added/)
  await expect(page.getByRole('region', { name: '1 version' })).toContainText('Created')
  expect(task).toMatch(/^\/tasks\//)
  appendFileSync(join(app.server.workspace, 'yard/report.md'), 'by hand\n')
  await page.reload()
  await expect(page.getByText('Changed outside Convene since the latest version')).toBeVisible()
})

test('[R114] a file that is not there, or may not be seen, says so', { tag: ['@desktop', '@all'] }, async ({
  open,
}) => {
  put('secret/plan.md', 'for those with a file tool')
  const lee = await open(app.server, 'lee', '/files/secret/plan.md')
  await expect(lee.getByRole('heading', { name: 'File not found' })).toBeVisible()
  const ana = await open(app.server, 'ana', '/files/nowhere.md')
  await expect(ana.getByRole('heading', { name: 'File not found' })).toBeVisible()
})

test('[R115] a task is exported as a text and as an archive', { tag: '@desktop' }, async ({ open }) => {
  const page = await open(app.server, 'ana', await taskOf('depot'))
  const saved = async (form: RegExp) => {
    await page.getByRole('button', { name: 'Task actions' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Export / })
    await dialog.getByRole('radio', { name: form }).check({ force: true })
    const saving = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const file = await saving
    await expect(dialog).toHaveCount(0)
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
  }
  const text = await saved(/^Markdown/)
  expect(text.name).toMatch(/\.md$/)
  expect(text.content.toString('utf8')).toContain('depot/report.md')
  const archive = await saved(/^Archive/)
  expect(archive.name).toMatch(/\.zip$/)
  expect(archive.content.subarray(0, 2).toString()).toBe('PK')
})
