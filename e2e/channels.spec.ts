/** The browsers in which a person gets pushes. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { openPerson } from './fixtures/person'

const app = serverForFile()
// The refusal that the test makes is logged by the browser.
test.use({ allowedTroubles: /500/ })

test('a browser that could not be removed stays in the list with the reason, and is removed by the next press @desktop', async ({
  open,
}) => {
  const ben = await openPerson(app.server, 'ben')
  const browser = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' }, name: 'Old tablet' }
  expect((await ben.post('/api/me/browsers', browser)).status).toBe(200)
  const page = await open(app.server, 'ben', '/settings/notifications')
  await waitForLive(page)
  const remove = page.getByRole('button', { name: 'Remove Old tablet' })
  await page.route('**/api/me/browsers/*', (route) => route.fulfill({ status: 500, json: {} }))
  await remove.click()
  await expect(page.getByRole('list', { name: 'My other browsers' })).toContainText('Not removed: ')
  await page.unroute('**/api/me/browsers/*')
  await remove.click()
  await expect(remove).toHaveCount(0)
  ben.close()
})
