/** People are invited, changed and taken out in the page, without the file and a restart. */
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { postCommand } from './fixtures/work'

const app = serverForFile()
// A removed person is signed out; a refused sign-in has its own status.
test.use({ allowedTroubles: /status of 4\d\d/ })

test('[R129] [R131] [R213] an operator invites a person, who signs in by the link, gets groups, and leaves to another', async ({
  open,
}) => {
  const page = await open(app.server, 'ana', '/settings/people')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Enter a name.')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Zoe Long')
  await expect(dialog.getByRole('textbox', { name: 'ID' })).toHaveValue('zoe-long')
  await dialog.getByRole('textbox', { name: 'ID' }).fill('ben')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('taken')
  await dialog.getByRole('textbox', { name: 'ID' }).fill('zoe')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = page.getByRole('dialog', { name: 'Sign-in link for Zoe Long' })
  const address = await link.getByRole('textbox').inputValue()
  await link.getByRole('button', { name: 'Close' }).last().click()

  const zoe = await open(app.server, null, address.slice(new URL(address).origin.length))
  await expect(zoe).toHaveURL(/\/inbox$/)
  await waitForLive(zoe)

  await page.getByRole('button', { name: 'Actions for Zoe Long' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const change = page.getByRole('dialog', { name: 'Change Zoe Long' })
  await change.getByRole('textbox', { name: 'Groups' }).fill('writers')
  await change.getByRole('radio', { name: 'Operator' }).check()
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change).toHaveCount(0)
  const row = page.getByRole('row', { name: /Zoe Long/ })
  await expect(row).toContainText(/operator/i)
  await page.getByRole('button', { name: 'Actions for Zoe Long' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const changes = change.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect(changes).toHaveText([/^Ana changed (groups, access|access, groups)/, /^Ana created it/])
  await changes.first().getByRole('button', { name: 'Undo' }).click()
  await expect(change).toHaveCount(0)
  await expect(row).toContainText('Participant')

  await postCommand(page, '/api/tasks', {
    name: 'Price page',
    intention: 'All prices',
    manager: 'ana',
    members: ['zoe'],
    stages: [{ intention: 'Collect', allocation: { zoe: 'Collect the prices' } }],
    reason: 'a customer asked',
  })
  // Written since the list of people was fetched.
  await zoe.evaluate(async () => {
    const body = JSON.stringify({ text: 'half a thought', version: null })
    await fetch('/api/drafts/act:new_work', { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  })
  await page.getByRole('button', { name: 'Actions for Zoe Long' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove Zoe Long?' })
  await expect(remove).toContainText('Their unsent draft is kept for them')
  await remove.getByRole('textbox', { name: /^Reason/ }).fill('a new job')
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(remove.getByRole('alert')).toContainText('Price page')
  await remove.getByRole('combobox', { name: 'Give their open requests to' }).click()
  await page.getByRole('option', { name: /^Lee/ }).click()
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(remove).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Actions for Zoe Long' })).toHaveCount(0)
  await page.getByText('1 removed person').click()
  const gone = page.getByRole('list', { name: '1 removed person' })
  await expect(gone.getByRole('listitem').first()).toContainText('Zoe Long')
  await expect(gone.getByRole('region', { name: 'Changes' }).getByRole('listitem').first()).toContainText(
    /^Ana removed it/,
  )
  await zoe.reload()
  await expect(zoe.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  const lee = await open(app.server, 'lee', '/inbox')
  await expect(lee.getByRole('article', { name: /^Your part of stage/ })).toBeVisible()
})

test('[R302] a name of the greatest length pushes nothing out of the lists of people and templates', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'ana', '/settings/people')
  const [name, ofTemplate] = ['X'.repeat(200), 'X'.repeat(100)]
  const value = { name, role: '', profile: '', groups: [], tools: [], access: 'participant' }
  await postCommand(page, '/api/people', { person: 'long', value })
  await postCommand(page, '/api/templates', { template: null, name: ofTemplate, text: 'Count the lines', fields: [] })
  await page.reload()
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await navigateTo(page, '/settings/people')
    await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeInViewport({ ratio: 1 })
    await navigateTo(page, '/settings/templates')
    const link = page.getByRole('list', { name: 'Templates' }).getByRole('link', { name: ofTemplate })
    await expect(link).toBeVisible()
    const { x = 0, width: wide = 0 } = (await link.boundingBox()) ?? {}
    expect(x + wide).toBeLessThanOrEqual(width)
  }
})
