/** The dialog "Tool approvals": what holds for the tools of a task, one more rule, and taking one back. */
import { describe, expect, it, vi } from 'vitest'
import type { ToolRulesAnswer } from '@/lib/wire'
import { openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { CODER, NOW } from '@/test/gallery/fixtures/people'
import { TASK } from '@/test/gallery/fixtures/records'
import { AGENT_ROWS } from '@/test/gallery/fixtures/rows'
import { taskRows } from '@/test/gallery/fixtures/world'
import { AllToolRules, ToolRulesDialog } from './ToolRules'

const RULES = `/api/tasks/${TASK}/tool_rules` as const
const WRITE = { server: 'files', tool: 'write_file' }
const TOOLS: ToolRulesAnswer['tools'] = [
  { ...WRITE, configured: 'risky' },
  { server: 'mail', tool: 'send', configured: 'always' },
]
const OWN: ToolRulesAnswer['rules'][number] = {
  ...WRITE,
  rule: 'allow',
  owner: { kind: 'task', id: TASK, name: 'Build' },
  by: 'Olga',
  at: NOW,
  endsAt: null,
}
const closed = vi.fn()

async function openRules(
  given: ToolRulesAnswer,
  of: Parameters<typeof ToolRulesDialog>[0]['of'] = null,
  prepare?: (server: PageServer) => void,
) {
  closed.mockClear()
  const page = await openPage(<ToolRulesDialog task={TASK} of={of} onClose={closed} />, {
    rows: { [`task:${TASK}`]: taskRows() },
    prepare: (server) => {
      server.answer('GET /api/tool_rules', given)
      prepare?.(server)
    },
  })
  const { user, server } = page
  return {
    ...page,
    posts: () => server.calls.filter(({ method }) => method === 'POST'),
    choose: async (field: string, option: string) => {
      await user.click(await screen.findByRole('combobox', { name: field }))
      await user.click(await screen.findByRole('option', { name: option }))
    },
    save: async (reason: string) => {
      await user.type(screen.getByRole('textbox', { name: /^Reason/ }), reason)
      await user.click(screen.getByRole('button', { name: 'Save rule' }))
    },
  }
}

describe('the rules of tools', () => {
  it('[R741] are listed with whose they are and by whom, those of the configuration too, and one is taken back', async () => {
    const { user, server, posts } = await openRules({ rules: [OWN], tools: TOOLS })
    const list = within(await screen.findByRole('list', { name: 'Tool approvals' }))
    const [own, configured] = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(own).toMatch(/^files\.write_file · runs without askingIn Build · by Olga/)
    expect(configured).toMatch(/^mail\.send · always asksby the configuration file/)
    server.answer('GET /api/tool_rules', { rules: [], tools: TOOLS.slice(0, 1) })
    await user.click(list.getByRole('button', { name: 'Revoke the rule for files.write_file' }))
    expect(await screen.findByText('No rules. Each tool asks as configured.')).toBeTruthy()
    expect(posts()).toMatchObject([{ path: RULES, body: { ...WRITE, rule: null } }])
  })

  it('[R741] begin with the strictest in this task alone, and need a tool', async () => {
    const { user, posts, save, choose } = await openRules({ rules: [], tools: TOOLS })
    await save('I want to see them.')
    expect(screen.getAllByText('Choose a tool').length).toBeGreaterThan(1)
    expect(posts()).toEqual([])
    await choose('Tool', 'files.write_file')
    await user.click(screen.getByRole('button', { name: 'Save rule' }))
    await waitFor(() => expect(closed).toHaveBeenCalledOnce())
    expect(posts()).toMatchObject([
      { path: RULES, body: { ...WRITE, rule: 'ask', endsAt: null, reason: 'I want to see them.' } },
    ])
  })

  it('[R742] allow a tool to an agent for a time, which is eight hours unless another is chosen', async () => {
    const { user, posts, save, choose } = await openRules({ rules: [], tools: TOOLS }, { ...WRITE, agent: CODER.id })
    await choose('Where', 'By Coder, in every task')
    await user.click(screen.getByRole('radio', { name: 'runs without asking' }))
    expect(screen.getByText(/The rule ends when the tool's description or arguments change/)).toBeTruthy()
    await save('Drafts only.')
    await waitFor(() => expect(closed).toHaveBeenCalledOnce())
    const [post] = posts()
    expect([post?.path, post?.body.rule]).toEqual([`/api/agents/${CODER.id}/tool_rules`, 'allow'])
    expect(Math.round((Number(post?.body.endsAt) - NOW) / 3_600_000)).toBe(8)
  })

  it('[R108] do not allow what the configuration always asks about, and say so', async () => {
    const { choose } = await openRules({ rules: [], tools: TOOLS })
    await choose('Tool', 'mail.send')
    expect(
      screen.getByText(saying('The configuration always asks about this tool. No rule here can loosen that.')),
    ).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'runs without asking' })).toBeNull()
  })

  it('say why one is refused, and keep what was written', async () => {
    const { save } = await openRules({ rules: [], tools: TOOLS }, { ...WRITE, agent: CODER.id }, (made) =>
      made.answer(`POST ${RULES}`, refused('TASK_OVER', { task: 'Build' })),
    )
    await save('Too late.')
    expect((await screen.findByRole('alert')).textContent).toContain('Build')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ }).value).toBe('Too late.')
    expect(closed).not.toHaveBeenCalled()
  })
})

describe('[R840] the page of tools', () => {
  const openPageOfTools = async () => {
    const page = await openPage(<AllToolRules />, {
      rows: { agents: AGENT_ROWS },
      prepare: (server) => server.answer('GET /api/tool_rules', { rules: [], tools: TOOLS }),
    })
    await page.user.click(await screen.findByRole('button', { name: 'Add rule' }))
    await screen.findByRole('dialog', { name: 'Tool approvals' })
    return page
  }

  it('adds a rule for an agent in every task, and needs both', async () => {
    const { user, server } = await openPageOfTools()
    const choose = async (field: string, option: string) => {
      await user.click(await screen.findByRole('combobox', { name: field }))
      await user.click(await screen.findByRole('option', { name: option }))
    }
    await choose('Tool', 'files.write_file')
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Not today.')
    await user.click(screen.getByRole('button', { name: 'Save rule' }))
    expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([])
    await choose('Where', 'By Coder, in every task')
    await user.click(screen.getByRole('radio', { name: 'is off' }))
    await user.click(screen.getByRole('button', { name: 'Save rule' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls.filter(({ method }) => method === 'POST')).toMatchObject([
      { path: `/api/agents/${CODER.id}/tool_rules`, body: { ...WRITE, rule: 'off', reason: 'Not today.' } },
    ])
  })
})
