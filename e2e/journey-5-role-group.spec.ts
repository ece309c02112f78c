/** A message to a role group: one bubble, one receipt for each member; done by one of two shows as one of two. */
import { expect, openItem, serverForFile, test } from './fixtures/console'
import { INPUT_WAYS, inputOf } from './fixtures/input'

const app = serverForFile()

for (const way of INPUT_WAYS) {
  const tag = way === 'keys' ? ['@desktop'] : []
  test(`an Action to a role group counts who has done it, by ${way}`, { tag }, async ({ open }) => {
    const what = `Please look at the new sign, says the ${way}.`
    const ana = await open(app.server, 'ana', '/tasks')
    const input = inputOf(ana, way)
    await input.press(ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
    const form = ana.getByRole('form', { name: 'Write a message' })
    const text = form.getByRole('textbox', { name: 'Message' })
    const option = ana.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: /designers/ })
    if (way === 'mouse') await text.click()
    else {
      await expect(text).toBeVisible()
      await ana.keyboard.press('c')
    }
    await ana.keyboard.type('@des')
    await expect(form.getByRole('combobox', { name: 'Message' })).toBeFocused()
    if (way === 'mouse') await option.click()
    else {
      await expect(option).toHaveAttribute('aria-selected', 'true')
      await ana.keyboard.press('Enter')
    }
    await input.choose(
      form.getByRole('button', { name: /^Message type/ }),
      ana.getByRole('menuitemradio', { name: 'Action required' }),
    )
    await input.write(text, what)
    await input.press(form.getByRole('button', { name: 'Send', exact: true }))
    const sent = ana.getByRole('log').getByRole('article', { name: what })
    await expect(sent.getByRole('button', { name: /^Receipts: 0 of 2 done/ })).toBeVisible()

    const ben = await open(app.server, 'ben', '/inbox')
    const row = await openItem(ben, new RegExp(what))
    await inputOf(ben, way).press(row.getByRole('button', { name: 'Mark as done' }))
    await expect(row).toHaveCount(0)
    const receipts = sent.getByRole('button', { name: /^Receipts: 1 of 2 done/ })
    await input.press(receipts)
    await expect(ana.getByRole('dialog', { name: 'Receipts' }).getByRole('row', { name: /^Ben/ })).toContainText('done')
  })
}
