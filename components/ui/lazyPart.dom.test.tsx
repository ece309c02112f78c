/** Parts of lazy files: while they load, when their file is refused, and what stays of the page meanwhile. */
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useDraft } from '@/client/drafts'
import { navigate } from '@/client/nav'
import { act, openPage, screen, waitFor } from '@/test/dom'
import { Button } from './Button'
import { TextArea } from './fields/TextField'
import { FromPress, type LazyPart, lazyBody, lazyDialog, lazyPart, lazyScreen } from './lazyPart'

const AGAIN_MS = 1_000

/** A file that is refused so many times; of: 'chunk' as the bundler refuses it. */
function refused(times: number) {
  const fetch = vi.fn(async () => {
    if (fetch.mock.calls.length > times) return { default: Words }
    throw Object.assign(new Error('Failed to load chunk /_next/static/chunks/x.js'), { name: 'ChunkLoadError' })
  })
  return fetch
}

type WordsProps = { words: string; onClose?: () => void }
const Words = ({ words }: WordsProps) => <p>{words}</p>

/** The second time comes a moment after the first. */
const passMoment = () => act(() => vi.advanceTimersByTimeAsync(AGAIN_MS))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  // What a boundary catches is on the console too.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

describe('a part of the page', () => {
  it('[R804] stands there at once when its file is there, and says that it comes before that', async () => {
    const [Here, Away] = [lazyScreen(refused(0)), lazyScreen<WordsProps>(() => new Promise(() => undefined))]
    await Here.load()
    const { container, rerender } = await openPage(null)
    rerender(<Here words="The inbox" />)
    expect([screen.getByText('The inbox').tagName, container.querySelector('[aria-busy]')]).toEqual(['P', null])
    rerender(<Away words="The inbox" />)
    expect(container.querySelector('[aria-busy]')).not.toBeNull()
  })

  it('[R804] whose file is refused once comes by itself', async () => {
    const fetch = refused(1)
    const Part = lazyPart<WordsProps>(fetch, { fallback: ({ words }) => <i>{words}</i> })
    await openPage(<Part words="The file" />)
    expect(screen.getByText('The file').tagName).toBe('I')
    await passMoment()
    await waitFor(() => expect(screen.getByText('The file').tagName).toBe('P'))
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('[R804] whose file is refused twice says so in its place, with Reload, and comes by “Try again”', async () => {
    const Part = lazyPart<WordsProps>(refused(2))
    const { user } = await openPage(
      <>
        <p>The rest</p>
        <Part words="The file" />
      </>,
    )
    await passMoment()
    expect((await screen.findByRole('alert')).textContent).toMatch(/load this section/)
    expect([screen.getByText('The rest'), screen.getByRole('button', { name: 'Reload' })].length).toBe(2)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The file')).toBeTruthy()
  })

  it('[R804] is asked for again at another address', async () => {
    const Part = lazyPart<WordsProps>(refused(2))
    await openPage(<Part words="The file" />)
    await passMoment()
    await screen.findByRole('alert')
    act(() => navigate('/tasks'))
    expect(await screen.findByText('The file')).toBeTruthy()
  })

  it('that throws is caught in its place, and its file is not asked for again', async () => {
    const fetch = vi.fn(async () => ({ default: Bad }))
    const Part = lazyPart<WordsProps>(fetch)
    await openPage(<Part words="is broken" />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/crashed/)
    expect([screen.queryByRole('button', { name: 'Reload' }), fetch.mock.calls.length]).toEqual([null, 1])
  })
})

function Bad({ words }: WordsProps): never {
  throw new Error(words)
}

/** A page with a draft, and a dialog whose file belongs to another build. */
function Writing({ Part }: { Part: LazyPart<{ words: string; onClose: () => void }> }) {
  const draft = useDraft('act:write')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <TextArea label="text" value={draft.text} onChange={(event) => draft.setText(event.target.value)} />
      <Button aria-expanded={isOpen} onClick={() => setOpen(true)}>
        open
      </Button>
      {isOpen ? <Part words="The dialog" onClose={() => setOpen(false)} /> : null}
    </>
  )
}

describe('a dialog of another build', () => {
  it('[R805] closes, offers Reload, loses no draft, and comes by another press once it is served', async () => {
    const Part = lazyDialog<{ words: string; onClose: () => void }>(refused(2))
    const { user } = await openPage(<Writing Part={Part} />)
    await user.type(screen.getByRole('textbox', { name: 'text' }), 'Not sent yet')
    await user.click(screen.getByRole('button', { name: 'open' }))
    await passMoment()
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'open' }).getAttribute('aria-expanded')).toBe('false')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'text' }).value).toBe('Not sent yet')
    await user.click(screen.getByRole('button', { name: 'open' }))
    expect(await screen.findByText('The dialog')).toBeTruthy()
  })
})

type OpenedProps = { button: string }
const Opened = ({ button }: OpenedProps) => (
  <>
    <button type="button">{button}</button>
    <p>opened</p>
  </>
)

function Opener({ part }: { part: LazyPart<OpenedProps> }) {
  const [isPressed, setPressed] = useState(false)
  return (
    <FromPress
      part={part}
      partProps={{ button: 'more' }}
      isPressed={isPressed}
      onLost={() => setPressed(false)}
      button={
        <button type="button" aria-expanded={isPressed} onClick={() => setPressed(true)}>
          more
        </button>
      }
    />
  )
}

describe('a button that a file draws from its first press on', () => {
  it('[R806] is the same element, with the focus, until the file is there', async () => {
    let serve = (_: { default: typeof Opened }): void => undefined
    const part = lazyBody<OpenedProps>(
      () =>
        new Promise((resolve) => {
          serve = resolve
        }),
    )
    const { user } = await openPage(<Opener part={part} />)
    const button = screen.getByRole('button', { name: 'more' })
    await user.click(button)
    expect([screen.getByRole('button', { name: 'more' }), document.activeElement]).toEqual([button, button])
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await act(async () => serve({ default: Opened }))
    expect(await screen.findByText('opened')).toBeTruthy()
  })

  it('[R806] is there after a refusal, and another press asks again', async () => {
    const fetch = vi.fn(async () => {
      if (fetch.mock.calls.length > 2) return { default: Opened }
      throw new Error('Failed to fetch')
    })
    const { user } = await openPage(<Opener part={lazyBody<OpenedProps>(fetch)} />)
    await user.click(screen.getByRole('button', { name: 'more' }))
    await passMoment()
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'more' }).getAttribute('aria-expanded')).toBe('false')
    await user.click(screen.getByRole('button', { name: 'more' }))
    expect(await screen.findByText('opened')).toBeTruthy()
  })
})
