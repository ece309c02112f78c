/** The forms of the setup: what is missing is named in the reader's language, a key leaves the page once, a refusal loses nothing. */
import { describe, expect, it, vi } from 'vitest'
import { PeerForm } from '@/components/directory/peers/PeerForm'
import { PersonDialog } from '@/components/people/PersonDialog'
import type { Language } from '@/lib/language'
import { openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { SETUP } from '@/test/gallery/fixtures/setup'
import { NewAgentButton } from './AgentSetupButtons'
import { ModelForm } from './ModelForm'
import { ModelsList } from './ModelsList'
import { ToolServerForm } from './ToolServerForm'
import { ToolServersList } from './ToolServersList'

const closed = vi.fn()
const nothing = (): void => {}
const MODEL = <ModelForm of={null} setup={SETUP} onClose={closed} />
const TOOL = <ToolServerForm of={null} setup={SETUP} onClose={closed} />
const PEER = <PeerForm peer={null} onAdded={closed} onClose={closed} />
const PERSON = <PersonDialog record={null} tools={['db']} onInvited={closed} onClose={nothing} />

async function openForm(form: React.ReactNode, prepare?: (server: PageServer) => void, language: Language = 'en') {
  const page = await openPage(form, { prepare, language })
  const dialog = within(await screen.findByRole('dialog'))
  const field = (name: string) => dialog.getByRole<HTMLInputElement>('textbox', { name })
  /** In one piece: typed letter by letter, each letter draws the form. */
  const fill = async (name: string, text: string): Promise<void> => {
    field(name).focus()
    field(name).select()
    await (text === '' ? page.user.clear(field(name)) : page.user.paste(text))
  }
  const press = (name: string): Promise<void> => page.user.click(dialog.getByRole('button', { name }))
  return { ...page, dialog, field, fill, press, alert: async () => (await dialog.findByRole('alert')).textContent }
}

describe('[R301] a form names what is wrong, and sends nothing', () => {
  it.each([
    { form: MODEL, fields: { Address: 'ftp://models.example' }, press: 'Save', says: /^Enter an address/ },
    {
      form: MODEL,
      fields: { Address: 'https://ana:secret@models.example/v1' },
      press: 'Save',
      says: /^Enter an address/,
    },
    { form: MODEL, fields: { Model: '' }, press: 'Save', says: /^Enter the name of the model/ },
    { form: MODEL, fields: { 'Context (tokens)': '12' }, press: 'Save', says: /^Enter the context/ },
    { form: MODEL, fields: { 'Price of input': '2' }, press: 'Save', says: /^Enter both prices/ },
    { form: TOOL, fields: { Name: 'a b' }, press: 'Add', says: /^Enter a name of letters/ },
    { form: TOOL, fields: { Name: 'shop', Address: 'shop.example' }, press: 'Add', says: /^Enter an address/ },
    {
      form: TOOL,
      fields: { Name: 'shop', Address: 'https://shop.example', Key: 'k', Header: 'a b' },
      press: 'Add',
      says: /^Enter the name of a header/,
    },
    { form: PERSON, fields: {}, press: 'Invite', says: /^Enter a name/ },
    { form: PERSON, fields: { Name: 'Zoe', ID: 'a b' }, press: 'Invite', says: /^Enter an ID/ },
    { form: PERSON, fields: { Name: 'Zoe', Groups: 'wri ters' }, press: 'Invite', says: /^Enter groups/ },
    { form: PEER, fields: { 'Agent URI': 'other.example' }, press: 'Add and create key', says: /^Enter an agent URI/ },
    {
      form: PEER,
      fields: { 'Agent URI': 'agent://other.example/planner', 'Tasks at once': '0' },
      press: 'Add and create key',
      says: /^Enter limits/,
    },
  ])('says $says where $fields is typed', async ({ form, fields, press: name, says }) => {
    const { fill, press, alert, server } = await openForm(form)
    for (const [field, text] of Object.entries(fields)) await fill(field, text ?? '')
    await press(name)
    expect(await alert()).toMatch(says)
    expect(server.calls.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api/drafts'))).toEqual([])
    expect(closed).not.toHaveBeenCalled()
  })

  it.each([
    {
      form: PERSON,
      fields: { 名称: '张三', ID: 'a b' },
      press: '邀请',
      says: '请输入 ID，可用字母、数字、“-”、“_”和“.”。',
    },
    {
      form: PERSON,
      fields: { 名称: '张三', ID: 'zhang', 分组: '写 作' },
      press: '邀请',
      says: '请输入分组名，可用字母、数字、“-”、“_”和“.”。',
    },
    {
      form: TOOL,
      fields: { 名称: 'ok', 地址: 'ftp://tools.example' },
      press: '添加',
      says: '请输入以 http:// 或 https:// 开头的地址，其中不含密码或密钥。',
    },
  ])('用读者的语言指出哪一项有误：$says', async ({ form, fields, press: name, says }) => {
    const { fill, press, alert } = await openForm(form, undefined, 'zh')
    for (const [field, text] of Object.entries(fields)) await fill(field, text ?? '')
    await press(name)
    expect(await alert()).toBe(says)
  })
})

describe('a model', () => {
  const KEY = 'sk-typed-in-the-page'

  it('is tested with its key, which is kept once for its address, and in no draft', async () => {
    const { user, dialog, fill, press, server } = await openForm(MODEL, (made) => {
      made.answer('POST /api/setup/keys', { stored: 'kept-1' })
      made.answer('POST /api/setup/try', { ok: true, words: 'It answers in 0.4 s.', hint: null, tools: [] })
    })
    await user.click(dialog.getByRole('radio', { name: 'Another server' }))
    await fill('Address', 'https://models.example/v1')
    await fill('Model', 'scripted')
    await fill('Key', KEY)
    await press('Test')
    expect((await dialog.findByText('Works')).parentElement?.textContent).toContain('It answers in 0.4 s.')
    await press('Save')
    await waitFor(() => expect(closed).toHaveBeenCalledOnce())
    expect(server.called('POST', '/api/setup/keys')).toEqual([{ key: KEY, address: 'https://models.example/v1' }])
    const [sent] = server.called('POST', '/api/setup') as { changes?: unknown }[]
    expect(sent?.changes).toEqual([
      expect.objectContaining({
        kind: 'model',
        id: 'scripted',
        value: expect.objectContaining({ key: { stored: 'kept-1' } }),
      }),
      expect.objectContaining({ kind: 'team', value: { model: 'scripted' } }),
    ])
    expect(JSON.stringify(server.calls.filter(({ path }) => path.startsWith('/api/drafts')))).not.toContain(KEY)
  })

  it('that does not work says why, until the form is another', async () => {
    const { user, dialog, fill, press } = await openForm(MODEL, (made) =>
      made.answer('POST /api/setup/try', {
        ok: false,
        words: 'The key is refused.',
        hint: 'Look it up again.',
        tools: [],
      }),
    )
    await user.click(dialog.getByRole('radio', { name: 'Another server' }))
    await fill('Address', 'https://models.example/v1')
    await fill('Model', 'scripted')
    await press('Test')
    expect((await dialog.findByText("Doesn't work")).parentElement?.textContent).toMatch(
      /The key is refused\..*Look it up again\./,
    )
    await fill('Model', 'other')
    expect(dialog.queryByText("Doesn't work")).toBeNull()
  })

  it('is chosen among those that its server offers', async () => {
    const { user, dialog, press } = await openForm(MODEL, (made) => {
      const known = { contextTokens: 8_000, price: { input: 1, output: 2, cached: null } }
      made.answer('POST /api/setup/models', {
        ok: true,
        models: [
          { name: 'small', known },
          { name: 'large', known: null },
        ],
      })
    })
    await press("Show the server's models")
    await user.click(await dialog.findByRole('combobox', { name: 'Model' }))
    await user.click(await screen.findByRole('option', { name: 'small' }))
    expect(dialog.getByRole('textbox', { name: 'Context (tokens)' }).getAttribute('placeholder')).toBe('8000')
  })
})

describe('a tool server', () => {
  it('is tested, given to agents, and added with its key; what was found is of that key alone', async () => {
    const { user, dialog, fill, press, server } = await openForm(TOOL, (made) => {
      made.answer('POST /api/setup/keys', { stored: 'kept-2' })
      made.answer('POST /api/setup/try', { ok: true, words: 'One tool.', hint: null, tools: ['look_up'] })
    })
    await fill('Name', 'lookup')
    await fill('Address', 'https://tools.example/other')
    await fill('Key', 'Bearer tool-key')
    await press('Test')
    expect(await dialog.findByText(saying('One tool.'))).toBeTruthy()
    await fill('Key', 'Bearer other-key')
    expect(dialog.queryByText(saying('One tool.'))).toBeNull()
    await user.click(dialog.getByRole('checkbox', { name: 'Coder' }))
    await press('Add')
    await waitFor(() => expect(server.called('POST', '/api/setup')).toHaveLength(1))
    const [{ changes }] = server.called('POST', '/api/setup') as [{ changes: unknown[] }]
    expect(changes).toEqual([
      expect.objectContaining({
        kind: 'tool',
        id: 'lookup',
        value: expect.objectContaining({ headers: [{ name: 'Authorization', key: { stored: 'kept-2' } }] }),
      }),
      expect.objectContaining({
        kind: 'agent',
        id: 'coder',
        value: expect.objectContaining({ tools: ['db', 'lookup'] }),
      }),
    ])
  })

  it('may be started by a command that the file allows', async () => {
    const { user, dialog, fill, press, server } = await openForm(TOOL)
    await fill('Name', 'own')
    await user.click(dialog.getByRole('combobox', { name: 'Connection' }))
    await user.click(await screen.findByRole('option', { name: 'Start node on this machine' }))
    await fill('Arguments, one per line', 'server.mjs\n--quiet')
    await press('Add')
    await waitFor(() => expect(server.called('POST', '/api/setup')).toHaveLength(1))
    expect(server.called('POST', '/api/setup')[0]?.changes).toEqual([
      expect.objectContaining({
        value: expect.objectContaining({ command: 'node', args: ['server.mjs', '--quiet'], address: null }),
      }),
    ])
  })
})

describe('an agent', () => {
  it('is made; a refusal loses nothing that was typed', async () => {
    let isTaken = true
    const { user, server } = await openPage(<NewAgentButton />, {
      prepare: (made) => {
        made.answer('GET /api/setup', SETUP)
        made.answer('POST /api/setup', () =>
          isTaken ? refused('NAME_TAKEN', { name: 'Boss' }) : { seq: 1, reply: {} },
        )
      },
    })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'New agent' }).getAttribute('aria-disabled')).not.toBe('true'),
    )
    await user.click(screen.getByRole('button', { name: 'New agent' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Boss')
    await user.type(dialog.getByRole('textbox', { name: 'Profile' }), 'Writes what others read.')
    await user.click(dialog.getByRole('checkbox', { name: 'db' }))
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect((await dialog.findByRole('alert')).textContent).toBe('The name Boss is taken.')
    isTaken = false
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Writer')
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.called('POST', '/api/setup').at(-1)?.changes).toEqual([
      expect.objectContaining({
        kind: 'agent',
        id: 'writer',
        value: expect.objectContaining({ name: 'Writer', profile: 'Writes what others read.', tools: ['db'] }),
      }),
    ])
  })
})

describe('a participant', () => {
  it.each([
    { what: 'models', part: <ModelsList /> },
    { what: 'tool servers', part: <ToolServersList /> },
    { what: 'agents', part: <NewAgentButton /> },
  ])('is shown no set-up of $what, and the page does not ask for it', async ({ part }) => {
    const me = { ...ME, person: { ...ME.person, access: 'participant' as const } }
    const { server } = await openPage(part, { me })
    expect(screen.queryByRole('button')).toBeNull()
    expect(server.called('GET', '/api/setup')).toEqual([])
  })
})

describe('a person', () => {
  it('is invited under an id that follows the name until it is typed, and gets a link', async () => {
    const { user, dialog, field, fill, press, server } = await openForm(PERSON, (made) =>
      made.answer('POST /api/people', { link: 'https://convene.example/login#token', until: 1 }),
    )
    await fill('Name', 'Zoe Long')
    expect(field('ID').value).toBe('zoe-long')
    await fill('ID', 'zoe')
    await fill('Name', 'Zoe Longer')
    expect(field('ID').value).toBe('zoe')
    await user.click(dialog.getByRole('radio', { name: /^Operator/ }))
    await fill('Groups', 'writers, readers')
    await press('Invite')
    await waitFor(() => expect(closed).toHaveBeenCalledOnce())
    expect(server.called('POST', '/api/people')).toEqual([
      expect.objectContaining({
        person: 'zoe',
        value: expect.objectContaining({ name: 'Zoe Longer', access: 'operator', groups: ['writers', 'readers'] }),
      }),
    ])
  })

  it('that cannot be saved says why, with what was typed', async () => {
    const { press, fill, field, alert } = await openForm(
      <PersonDialog record={SETUP.people[0] ?? null} tools={[]} onInvited={nothing} onClose={closed} />,
      (made) => made.answer('POST /api/setup', refused('LAST_OPERATOR', { name: 'Ben' })),
    )
    expect(field('Groups').value).toBe('designers')
    await fill('Role', 'writer')
    await press('Save')
    expect(await alert()).toBe('Ben is the last operator. Make someone else an operator first.')
    expect([field('Role').value, closed.mock.calls.length]).toEqual(['writer', 0])
  })
})
