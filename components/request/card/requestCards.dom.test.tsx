/** Cards of every kind of request, in the states of the gallery: what a person presses and types is what the server gets. */
import { describe, expect, it } from 'vitest'
import { contentHref } from '@/components/files/places'
import { argumentsPath, requestPath } from '@/components/request/commands'
import { act, openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { ANA, BEN, CODER, ME, NOW } from '@/test/gallery/fixtures/people'
import { messageId, TASK } from '@/test/gallery/fixtures/records'
import { CONFIRMATIONS, GIVEN, OTHERS, PART_REQUESTS, PLANS, QUESTIONS } from '@/test/gallery/fixtures/requests'
import { taskRows } from '@/test/gallery/fixtures/world'
import type { RequestShown } from '../shown'
import { RequestCard } from './RequestCard'

type CardProps = Partial<Parameters<typeof RequestCard>[0]>

const answerPath = (shown: RequestShown) => `${requestPath(shown.request.id)}/answer` as const

async function openCard(shown: RequestShown, props: CardProps = {}, prepare?: (server: PageServer) => void) {
  const page = await openPage(<RequestCard shown={shown} place="list" isMine {...props} />, {
    rows: { [`task:${TASK}`]: taskRows() },
    prepare: (server) => {
      server.answer(`GET ${argumentsPath(shown.request.id)}` as `GET /${string}`, GIVEN)
      prepare?.(server)
    },
  })
  const answers = (): object[] => page.server.called('POST', answerPath(shown))
  return {
    ...page,
    answers,
    refuseAnswer: (answer: unknown) => page.server.answer(`POST ${answerPath(shown)}` as `POST /${string}`, answer),
  }
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const isOff = (name: string): boolean => button(name).getAttribute('aria-disabled') === 'true'
const box = (name = 'Your answer') => screen.getByRole<HTMLTextAreaElement>('textbox', { name })

describe('a question', () => {
  const shown = QUESTIONS['open, with choices']

  it('is answered by what is typed, once, and the box is empty afterwards', async () => {
    const { user, answers } = await openCard(shown)
    expect(isOff('Send answer')).toBe(true)
    await user.type(box(), 'SQLite, the copy is there')
    await user.dblClick(button('Send answer'))
    await waitFor(() => expect(box().value).toBe(''))
    expect(answers()).toEqual([expect.objectContaining({ decision: 'answer', text: 'SQLite, the copy is there' })])
  })

  it('is answered by an option, with what is typed below it', async () => {
    const { user, answers } = await openCard(shown)
    await user.click(screen.getByRole('radio', { name: 'Postgres' }))
    await user.type(box(), 'On the staging copy.{Control>}{Enter}{/Control}')
    await waitFor(() => expect(answers()).toHaveLength(1))
    expect(answers()[0]).toMatchObject({ text: expect.stringMatching(/^Postgres[\s\S]*On the staging copy\.$/) })
  })

  it('has its box focused by a send without an answer, and sends nothing', async () => {
    const { user, answers } = await openCard(shown)
    screen.getByRole('radio', { name: 'Postgres' }).focus()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(document.activeElement).toBe(box())
    expect(answers()).toEqual([])
  })

  it('keeps the text when the server does not take it, says why, and sends the same command again', async () => {
    const { user, answers, server } = await openCard(shown)
    await user.type(box(), 'Postgres')
    server.setUp(false)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect((await screen.findByRole('alert')).textContent).toMatch(/server/i)
    expect(box().value).toBe('Postgres')
    act(() => server.setUp(true))
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(answers()).toHaveLength(1))
  })

  it('repeats a send without an answer under the same command id', async () => {
    const { user, answers, refuseAnswer } = await openCard(shown)
    refuseAnswer(() => Promise.reject(new TypeError('the line broke')))
    await user.type(box(), 'Postgres{Control>}{Enter}{/Control}')
    await screen.findByRole('alert')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(answers()).toHaveLength(2))
    const [first, second] = answers()
    expect(second).toMatchObject({ id: (first as { id: string }).id })
  })

  it('says who was first, and offers the text as a message', async () => {
    const { user, refuseAnswer, server } = await openCard(shown)
    refuseAnswer(refused('REQUEST_OVER', { by: 'Ben', how: 'answered', at: NOW - 4_000, request: shown.request.id }))
    await user.type(box(), 'Postgres{Control>}{Enter}{/Control}')
    expect((await screen.findByRole('status')).textContent).toMatch(/Ben answered \d+ s before you. Your text is kept./)
    await user.click(button('Send as a message'))
    await waitFor(() => expect(server.called('POST', '/api/messages')).toHaveLength(1))
    expect(server.called('POST', '/api/messages')[0]).toMatchObject({
      text: 'Postgres',
      type: 'fyi',
      receivers: [shown.asker.id],
    })
    expect(screen.queryByText('Postgres', { selector: 'p' })).toBeNull()
  })

  it('that closes while one writes keeps the text, which can be thrown away', async () => {
    const { user, rerender } = await openCard(shown)
    await user.type(box(), 'Postgres')
    const over = { ...shown, request: { ...shown.request, state: 'released' as const, endReason: 'Ana: not needed' } }
    rerender(<RequestCard shown={over} place="list" isMine />)
    expect((await screen.findByText(/closed while you were writing/)).textContent).toContain('Your text is kept')
    expect(box().value).toBe('Postgres')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(screen.queryByRole('textbox', { name: 'Your answer' })).toBeNull()
  })

  it('[R106] [R136] has no "Mark as done", says what it is about, and has no box for others', async () => {
    const about = { kind: 'message', id: messageId('fyi-mine'), text: 'Compare the price lists' } as const
    const { rerender } = await openCard({ ...shown, about })
    expect(screen.getByRole('link', { name: /Compare the price lists/ }).getAttribute('href')).toContain(about.id)
    expect(screen.queryByRole('button', { name: 'Mark as done' })).toBeNull()
    rerender(<RequestCard shown={shown} place="list" isMine={false} />)
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('is acknowledged with a way back', async () => {
    const { user, server } = await openCard(shown)
    await user.click(button('Acknowledge'))
    const settled = `/api/messages/${shown.request.message}`
    await waitFor(() => expect(server.called('POST', `${settled}/acknowledge`)).toHaveLength(1))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.called('POST', `${settled}/undo`)).toHaveLength(1))
  })

  it('says what changed since it was asked, on the button too', async () => {
    await openCard(QUESTIONS['changed since asked'])
    expect(screen.getByText('Things changed since this was asked')).toBeTruthy()
    expect(button('Answer anyway')).toBeTruthy()
  })

  it('takes nothing in the first moment of a dialog', async () => {
    const { user, answers } = await openCard(shown, { isInactive: true, place: 'dialog' })
    await user.type(box(), 'Postgres{Control>}{Enter}{/Control}')
    await user.click(button('Send answer'))
    expect(answers()).toEqual([])
  })

  it('of somebody else is answered with a reason only', async () => {
    const { user, answers } = await openCard(QUESTIONS['claimed by Ben'], { answersFor: 'Ben' })
    await user.type(box(), 'Postgres{Control>}{Enter}{/Control}')
    expect(answers()).toEqual([])
    const reason = box('Reason (everyone in the task sees it)')
    expect(document.activeElement).toBe(reason)
    await user.type(reason, 'Ben is away.')
    await user.click(button('Send answer'))
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ reason: 'Ben is away.' })]))
  })

  it('says who writes an answer just now, and tells the others that I do', async () => {
    const asked = QUESTIONS['nobody stands still']
    const { user, server } = await openCard(asked)
    const note = { kind: 'drafting', request: asked.request.id, person: BEN.id, name: 'Ben' } as const
    act(() => server.note({ ...note, on: true }))
    expect(await screen.findByText(saying('Ben is writing…'))).toBeTruthy()
    act(() => server.note({ ...note, on: false }))
    expect(screen.queryByText(saying('Ben is writing…'))).toBeNull()
    await user.type(box(), 'P')
    expect(server.sent).toContainEqual({ event: 'drafting', message: { request: asked.request.id, on: true } })
  })

  it.each(['answered', 'released', 'expired', 'withdrawn'] as const)(
    'that is %s says how it ended, without a box',
    async (state) => {
      await openCard(QUESTIONS[state])
      const card = screen.getByRole('article')
      expect(card.textContent).toMatch(/Answered by Ben|Released:|Expired:|Withdrawn:/)
      expect(within(card).queryByRole('textbox')).toBeNull()
    },
  )
})

describe('the menu of a card', () => {
  const shown = QUESTIONS['open, with choices']
  const more = async (entry: string, of: RequestShown = shown, prepare?: (server: PageServer) => void) => {
    const page = await openCard(of, {}, prepare)
    await page.user.click(button('More'))
    await page.user.click(await screen.findByRole('menuitem', { name: entry }))
    return page
  }

  it('asks the asker back, and the request stays open', async () => {
    const { user, server } = await more('Ask back…')
    const dialog = await screen.findByRole('dialog', { name: 'Ask Coder a question' })
    const send = within(dialog).getByRole('button', { name: 'Send question' })
    expect(send.getAttribute('aria-disabled')).toBe('true')
    await user.type(within(dialog).getByRole('textbox', { name: 'Your question' }), 'Which plan?')
    await user.click(send)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.called('POST', `${requestPath(shown.request.id)}/ask_back`)).toEqual([
      expect.objectContaining({ text: 'Which plan?' }),
    ])
  })

  it('keeps the question when it is refused', async () => {
    const path = `${requestPath(shown.request.id)}/ask_back`
    const { user } = await more('Ask back…', shown, (server) =>
      server.answer(`POST ${path}` as `POST /${string}`, refused('TASK_OVER', { task: 'Build' })),
    )
    await user.type(await screen.findByRole('textbox', { name: 'Your question' }), 'Which plan?')
    await user.click(button('Send question'))
    await waitFor(() => expect(document.body.textContent).toMatch(/Build.*(finished|over|ended)/i))
    expect(box('Your question').value).toBe('Which plan?')
  })

  it('sets a reminder, and takes the request', async () => {
    const { user, server } = await more('Remind me in 15 minutes')
    await waitFor(() =>
      expect(server.called('POST', '/api/reminders')).toEqual([
        expect.objectContaining({ request: shown.request.id, message: null, minutes: 15 }),
      ]),
    )
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Take it' }))
    await waitFor(() => expect(server.called('POST', `${requestPath(shown.request.id)}/claim`)).toHaveLength(1))
  })

  it('says that somebody has it, in place of taking it', async () => {
    const page = await openCard(QUESTIONS['claimed by Ben'], { shown: { ...QUESTIONS['claimed by Ben'] } })
    await page.user.click(button('More'))
    const entry = await screen.findByRole('menuitem', { name: 'Take it' })
    expect(entry.getAttribute('aria-disabled')).toBe('true')
    expect(entry.getAttribute('aria-description')).toBeTruthy()
  })

  it.each([
    { access: 'operator', has: true },
    { access: 'participant', has: false },
  ] as const)('has the rules of a tool for operators alone: $access', async ({ access, has }) => {
    const { user } = await openCard(CONFIRMATIONS.open, {}, (server) =>
      server.answer('GET /api/me', { ...ME, person: { ...ME.person, access } }),
    )
    await user.click(await screen.findByRole('button', { name: 'More' }))
    expect(await screen.findByRole('menuitem', { name: 'Take it' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Tool approvals…' }) !== null).toBe(has)
  })
})

describe('a call to confirm', () => {
  const shown = CONFIRMATIONS.open

  it('cannot be approved before its arguments are there, and is approved by their digest', async () => {
    let give = (): void => {}
    const given = new Promise<void>((resolve) => {
      give = resolve
    })
    const { user, answers } = await openCard(shown, {}, (server) =>
      server.answer(`GET ${argumentsPath(shown.request.id)}` as `GET /${string}`, () => given.then(() => GIVEN)),
    )
    expect((await screen.findByRole('button', { name: 'Approve' })).getAttribute('aria-disabled')).toBe('true')
    act(give)
    await waitFor(() => expect(isOff('Approve')).toBe(false))
    await user.click(button('Approve'))
    await waitFor(() =>
      expect(answers()).toEqual([expect.objectContaining({ decision: 'approve', digest: GIVEN.digest })]),
    )
  })

  it('is refused with a reason only, and approving is not the first button', async () => {
    const { user, answers } = await openCard(shown)
    await user.click(await screen.findByRole('button', { name: 'Refuse' }))
    expect(document.activeElement).toBe(box('Reason for refusing'))
    await user.click(button('Refuse'))
    expect(screen.getByText('Give a reason.')).toBeTruthy()
    expect(answers()).toEqual([])
    await user.type(box('Reason for refusing'), 'Not on the live table.')
    await user.click(button('Refuse'))
    await waitFor(() =>
      expect(answers()).toEqual([expect.objectContaining({ decision: 'refuse', text: 'Not on the live table.' })]),
    )
  })

  it('is approved as it was edited; put back as it was it is no edit', async () => {
    const { user, answers } = await openCard(shown)
    await waitFor(() => expect(isOff('Edit and approve')).toBe(false))
    await user.click(button('Edit and approve'))
    const field = box('Arguments (JSON)')
    expect(document.activeElement).toBe(field)
    await user.clear(field)
    await user.type(field, '{{ "rows": ')
    await user.click(button('Approve with changes'))
    expect((await screen.findByRole('alert')).textContent).toContain('a closing bracket is missing')
    expect(answers()).toEqual([])
    await user.type(field, '41}')
    await user.click(button('Approve with changes'))
    await waitFor(() => expect(answers()).toHaveLength(1))
    const [{ decision, arguments: args }] = answers() as [{ decision: string; arguments: string }]
    expect([decision, JSON.parse(args)]).toEqual(['approve_edited', { rows: 41 }])
  })

  const writes = (path: string, content: string) => ({ ...GIVEN, json: { path, content }, text: '{}' })
  const filesHere = (here: Record<string, string>) => (server: PageServer) => {
    server.answer('GET /api/files/known', { paths: Object.keys(here) })
    for (const [path, text] of Object.entries(here)) server.answer(`GET ${contentHref(path)}` as `GET /${string}`, text)
  }
  const opened = async (given: object, here: Record<string, string> = {}) => {
    await openCard(shown, {}, (server) => {
      filesHere(here)(server)
      server.answer(`GET ${argumentsPath(shown.request.id)}` as `GET /${string}`, given)
    })
    await waitFor(() => expect(isOff('Approve')).toBe(false))
    return screen
      .getAllByRole<HTMLInputElement>('radio')
      .find((one) => one.checked)
      ?.closest('label')?.textContent
  }
  const TABLE = '# Prices\n\n| item | price |\n|---|---|\n| bolt | 1.10 |\n'

  it('[R746] opens new Markdown formatted, with its tables', async () => {
    expect(await opened(writes('report.md', TABLE))).toBe('Preview')
    expect(screen.getByRole('cell', { name: 'bolt' })).toBeTruthy()
  })

  it('[R746] opens any other new text as it is', async () => {
    expect(await opened(writes('prices.txt', 'item,price\nbolt,1.10\n'))).toBe('Text')
  })

  it('[R746] opens a file that changes on its changes', async () => {
    expect(await opened(writes('report.md', TABLE), { 'report.md': '# Prices\n' })).toBe('Changes from the file')
  })

  it('says why its arguments are not there, and asks for them again', async () => {
    const path = `GET ${argumentsPath(shown.request.id)}` as `GET /${string}`
    const { user, server } = await openCard(shown, {}, (made) =>
      made.answer(path, () => Promise.reject(new TypeError('no line'))),
    )
    expect((await screen.findByRole('alert')).textContent).toContain("The server didn't respond")
    server.answer(path, GIVEN)
    await user.click(button('Try again'))
    await waitFor(() => expect(isOff('Approve')).toBe(false))
  })
})

describe('a part of a stage', () => {
  it('is ended as done or as not possible, with a sentence that outlives a change of mind', async () => {
    const shown = PART_REQUESTS.open
    const { user, answers } = await openCard(shown)
    await user.click(await screen.findByRole('button', { name: 'Mark complete' }))
    expect(screen.getByText('Add a sentence for the manager, who reviews the stage.')).toBeTruthy()
    await user.type(box('What did you do?'), 'The west list is locked.')
    await user.click(button("I can't do this"))
    expect(answers()).toEqual([])
    expect(box('Why not?').value).toBe('The west list is locked.')
    await user.click(button("I can't do this"))
    await waitFor(() =>
      expect(answers()).toEqual([expect.objectContaining({ decision: 'cannot', text: 'The west list is locked.' })]),
    )
  })
})

describe('other requests', () => {
  it('a limit is raised by a number above nothing, or refused with a reason', async () => {
    const { user, answers } = await openCard(OTHERS['a limit was reached'])
    const field = await screen.findByRole<HTMLInputElement>('textbox')
    expect(field.value).toBe('60')
    await user.clear(field)
    await user.type(field, '0')
    await user.click(document.querySelector<HTMLElement>('[data-act=reply]') ?? field)
    expect(answers()).toEqual([])
    await user.clear(field)
    await user.type(field, '12')
    await user.click(document.querySelector<HTMLElement>('[data-act=reply]') ?? field)
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ decision: 'approve', text: '12' })]))
  })

  it('a form of a tool names what is missing, and is sent or declined', async () => {
    const { user, answers } = await openCard(OTHERS['a tool asks by a form'])
    await user.click(await screen.findByRole('button', { name: 'Send' }))
    expect(answers()).toEqual([])
    expect(screen.getByRole('alert')).toBeTruthy()
    await user.click(button('Decline'))
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ decision: 'refuse' })]))
  })

  it('a page of a tool is opened in a window of its own', async () => {
    const { user, answers } = await openCard(OTHERS['a tool asks to open a page'])
    const link = await screen.findByRole('link', { name: 'Open page' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'https://travel.example/sign-in',
      'noopener noreferrer',
    ])
    await user.click(button("I've done it"))
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ decision: 'done' })]))
  })

  it('lets the manager try again what it has judged by itself', async () => {
    const shown = OTHERS['no judge']
    const step = 'gallery-step' as NonNullable<RequestShown['request']['step']>
    const { user, server } = await openCard({ ...shown, request: { ...shown.request, step } })
    await user.click(await screen.findByRole('button', { name: /^Let .* try again$/ }))
    await waitFor(() => expect(server.called('POST', `/api/steps/${step}/retry`)).toHaveLength(1))
  })

  it('what has no judge links to each act that a person can do', async () => {
    await openCard(OTHERS['no judge'])
    await waitFor(() =>
      expect(
        screen
          .getAllByRole('link')
          .map((one) => one.getAttribute('href')?.split('?act=')[1])
          .filter(Boolean),
      ).toEqual(['finishStage', 'retryStage', 'makeManager']),
    )
  })

  it('an offer is accepted, or declined, and says who offers it', async () => {
    const shown = QUESTIONS['handed to me']
    const { user, server } = await openCard(shown)
    expect(await screen.findByText(saying('Ben wants to hand this over to you.'))).toBeTruthy()
    await user.click(button('Accept'))
    await waitFor(() =>
      expect(server.called('POST', `/api/hand_overs/${shown.request.transfer?.id}`)).toEqual([
        expect.objectContaining({ accept: true }),
      ]),
    )
    expect(ANA.id).toBe(shown.request.transfer?.to)
  })
})

describe('[R834] a plan', () => {
  const shown = PLANS.open

  it('shows each stage with who does what, and is approved as it is', async () => {
    const { user, answers } = await openCard(shown)
    const stages = await screen.findAllByRole('listitem')
    expect(stages.map((one) => one.textContent).join('|')).toContain('Read north.csv and south.csv')
    expect(screen.getByRole('list', { name: 'Stages of the plan' }).textContent).toContain('Tester')
    await user.click(button('Approve plan'))
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ decision: 'approve', arguments: null })]))
  })

  it('is changed in a form: a part goes to somebody else, a stage leaves, what is missing is said', async () => {
    const { user, answers } = await openCard(shown)
    await user.click(await screen.findByRole('button', { name: 'Change plan' }))
    await user.click(button('Remove stage 1'))
    await user.clear(box('Goal of stage 1'))
    await user.click(button('Approve changed plan'))
    expect(screen.getByRole('alert').textContent).toBe('Stage 1 needs a goal.')
    await user.type(box('Goal of stage 1'), 'Build it')
    await user.click(button('Remove part 2 of stage 1'))
    await user.click(button('Approve changed plan'))
    await waitFor(() => expect(answers()).toHaveLength(1))
    const [sent] = answers() as { decision: string; arguments: string }[]
    expect(sent?.decision).toBe('approve_edited')
    expect(JSON.parse(sent?.arguments ?? '')).toEqual({
      stages: [{ intention: 'Build it', allocation: { [CODER.id]: 'Write the page' }, needs: {} }],
    })
  })

  it('that was opened for a change and left as it was is approved as it is', async () => {
    const { user, answers } = await openCard(shown)
    await user.click(await screen.findByRole('button', { name: 'Change plan' }))
    await user.click(button('Approve changed plan'))
    await waitFor(() => expect(answers()).toEqual([expect.objectContaining({ decision: 'approve' })]))
  })

  it('is sent back with a comment, never without one', async () => {
    const { user, answers } = await openCard(shown)
    await user.click(await screen.findByRole('button', { name: 'Send back' }))
    await user.click(button('Send back'))
    expect(answers()).toEqual([])
    await user.type(box('What should change?'), 'One stage is enough.')
    await user.click(button('Send back'))
    await waitFor(() =>
      expect(answers()).toEqual([expect.objectContaining({ decision: 'refuse', text: 'One stage is enough.' })]),
    )
  })

  it('that was sent back says who did it and why, and its stages can be read', async () => {
    const { user } = await openCard(PLANS['sent back'])
    expect(screen.getByText(saying('Coder can do both stages.'))).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Show the plan' }))
    expect(screen.getByRole('list', { name: 'Stages of the plan' })).toBeTruthy()
  })
})

it('[R839] a new table in an approval is shown as a table, and its text one press away', async () => {
  const text = 'item,price\napple,3.20\npear,2.10\n'
  const json = { path: 'prices/new.csv', content: text }
  const { user } = await openCard(CONFIRMATIONS.calm, {}, (server) =>
    server.answer(`GET ${argumentsPath(CONFIRMATIONS.calm.request.id)}` as `GET /${string}`, {
      ...GIVEN,
      json,
      text: JSON.stringify(json),
    }),
  )
  const table = await screen.findByRole('table', { name: 'prices/new.csv' })
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['itemprice', 'apple3.20', 'pear2.10'])
  await user.click(screen.getByRole('radio', { name: 'Text' }))
  expect(screen.queryByRole('table')).toBeNull()
})
