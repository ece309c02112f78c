/** The dialogs of acts on a task: each says what is missing, sends its act once with the reason, and keeps all of it when refused. */
import { describe, expect, it, vi } from 'vitest'
import { call } from '@/client'
import { usePasswordAsked } from '@/client/account/confirming'
import ConfirmPassword from '@/components/shell/ConfirmPassword'
import type { TaskRecord } from '@/lib/mas/records'
import { openPage, type PageServer, refused, screen, waitFor, within } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { stageId, TASK } from '@/test/gallery/fixtures/records'
import { AGENT_ROWS, TASKS } from '@/test/gallery/fixtures/rows'
import { taskRows } from '@/test/gallery/fixtures/world'
import TaskDialogs from './TaskDialogs'
import type { TaskActName } from './taskActs'

const closed = vi.fn()

async function openAct(name: TaskActName, change: Partial<TaskRecord> = {}, prepare?: (server: PageServer) => void) {
  const page = await openPage(<TaskDialogs act={name} taskId={TASK} onClose={closed} />, {
    rows: { [`task:${TASK}`]: taskRows(change), agents: AGENT_ROWS, overview: TASKS },
    prepare,
  })
  const reason = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ })
  await reason()
  const posts = () => page.server.calls.filter(({ method }) => method === 'POST')
  return { ...page, reason, posts, press: (name: string) => page.user.click(screen.getByRole('button', { name })) }
}

describe('an act on a task', () => {
  it.each([
    { name: 'pauseTask', button: 'Pause', path: `/api/tasks/${TASK}/pause` },
    { name: 'finishStage', button: 'Finish', path: `/api/stages/${stageId(3)}/finish` },
    { name: 'finishTask', button: 'Finish the task', path: `/api/tasks/${TASK}/finish` },
  ] as const)('$name is done with a reason only, by one command', async ({ name, button, path }) => {
    const { user, reason, posts, press } = await openAct(name)
    await reason()
    await press(button)
    expect(posts()).toEqual([])
    for (const box of screen.getAllByRole('textbox')) await user.type(box, 'It is enough.')
    await user.dblClick(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(closed).toHaveBeenCalled())
    expect(posts().map((post) => [post.path, post.body.reason])).toEqual([[path, 'It is enough.']])
  })

  it('that is refused stays open, says why, and keeps its reason', async () => {
    const { user, reason, press } = await openAct('pauseTask', {}, (server) =>
      server.answer(`POST /api/tasks/${TASK}/pause`, refused('TASK_OVER', { task: 'Build' })),
    )
    await user.type(await reason(), 'The list is wrong.')
    await press('Pause')
    expect((await screen.findByRole('alert')).textContent).toContain('Build')
    expect([(await reason()).value, closed.mock.calls]).toEqual(['The list is wrong.', []])
  })

  it('keeps what was begun when its dialog is closed and opened again', async () => {
    const { user, reason, press, rerender } = await openAct('addStage')
    await user.type(await reason(), 'A customer asked.')
    await press('Cancel')
    expect(closed).toHaveBeenCalled()
    rerender(null)
    rerender(<TaskDialogs act="addStage" taskId={TASK} onClose={closed} />)
    expect((await reason()).value).toBe('A customer asked.')
  })

  it('is not offered where it cannot be done: nothing is drawn', async () => {
    await openPage(<TaskDialogs act="pauseTask" taskId={TASK} onClose={closed} />, {
      rows: { [`task:${TASK}`]: taskRows({ state: 'finished' }) },
    })
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('[R570] erasing needs the name of the task as it is', async () => {
    const over = { state: 'finished', name: 'Build the price page' } as const
    const { user, reason, posts, press } = await openAct('eraseTask', over)
    const name = screen.getByRole('textbox', { name: /Build the price page/ })
    await user.type(await reason(), 'They asked for it.')
    await user.type(name, 'Build the price')
    await press('Erase for good')
    expect(posts()).toEqual([])
    await user.type(name, ' page')
    await press('Erase for good')
    await waitFor(() => expect(posts().map(({ path }) => path)).toEqual([`/api/tasks/${TASK}/erase`]))
  })
})

const wasDone = vi.fn()
function Guarded() {
  const asked = usePasswordAsked()
  return (
    <>
      <button type="button" onClick={() => void call('POST', '/api/guarded', {}).then(wasDone)}>
        act
      </button>
      {asked === null ? null : <ConfirmPassword onClose={() => asked.end(false)} />}
    </>
  )
}

describe('an act that needs the password', () => {
  const openGuarded = (hasPassword: boolean, me = ME) => {
    let isConfirmed = false
    return openPage(<Guarded />, {
      me,
      prepare: (server) => {
        server.answer('POST /api/guarded', () =>
          isConfirmed ? { done: true } : refused('CONFIRM_PASSWORD', { hasPassword }),
        )
        server.answer('POST /api/sessions/confirm', ({ body }: { body: { password?: string } }) => {
          if (body.password !== 'right') return refused('WRONG_PASSWORD')
          isConfirmed = true
          return { until: 1 }
        })
      },
    })
  }
  const password = () => screen.findByLabelText<HTMLInputElement>('Password')

  it('[R892] sends who comes by a provider there once more, and back to this page', async () => {
    const me = { ...ME, hasPassword: false, passwords: false, provider: { id: 'acme', name: 'Acme' } }
    const { user } = await openGuarded(false, me)
    await user.click(screen.getByRole('button', { name: 'act' }))
    const dialog = await screen.findByRole('dialog', { name: 'Sign in again' })
    const link = within(dialog).getByRole('link', { name: 'Sign in again with Acme' })
    expect(link.getAttribute('href')).toMatch(/^\/api\/sign-in\/acme\?back=%2F.*&again=1$/)
    expect(screen.queryByLabelText('Password')).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(wasDone).toHaveBeenCalledTimes(1))
  })

  it('asks for it, says when it is wrong, and is sent again when it is right', async () => {
    const { user, server } = await openGuarded(true)
    await user.click(screen.getByRole('button', { name: 'act' }))
    await user.type(await password(), 'wrong')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText("That isn't your current password.")).toBeTruthy()
    expect(wasDone).not.toHaveBeenCalled()
    await user.clear(await password())
    await user.type(await password(), 'right')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(wasDone).toHaveBeenCalledWith({ ok: true, value: { done: true } }))
    expect(server.called('POST', '/api/guarded')).toHaveLength(2)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is not done when its person closes the question', async () => {
    const { user, server } = await openGuarded(true)
    await user.click(screen.getByRole('button', { name: 'act' }))
    await password()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(wasDone).toHaveBeenCalledWith(expect.objectContaining({ ok: false })))
    expect(server.called('POST', '/api/guarded')).toHaveLength(1)
  })
})
