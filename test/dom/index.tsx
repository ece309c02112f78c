/**
 * Components in a page without a browser.
 *
 *   const { user, server } = await openPage(<Inbox … />, { rows: { me: ROWS } })
 *   await user.click(screen.getByRole('button', { name: 'Send' }))
 *   expect(server.called('POST', '/api/requests/x/answer')).toEqual([expect.objectContaining({ text: 'Yes' })])
 *
 * It is joined to address, keyboard, session and socket as the console is (components/shell/ConsoleRoot.tsx).
 */
import { act, cleanup, configure, render } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { type ReactNode, useEffect } from 'react'
import { toast } from 'sonner'
import { IntlProvider } from 'use-intl'
import { vi } from 'vitest'
import { askSession } from '@/client/account/session'
import { joinKeyboard } from '@/client/actions/keyboard'
import { pageClock } from '@/client/clock'
import { type Fixtures, FixturesContext } from '@/client/fixtures'
import { useConnect } from '@/client/hooks'
import { joinHistory } from '@/client/nav'
import { getPageClient } from '@/client/pageClient'
import { DEFAULT_DISPLAY, setDisplay } from '@/client/theme'
import { NoticeSlot } from '@/components/shell/NoticeBar'
import { Announcer } from '@/components/ui/Announcer'
import { laterWords } from '@/components/ui/laterWords'
import { ToastHost } from '@/components/ui/overlays/ToastHost'
import { drawToasts } from '@/components/ui/overlays/toast'
import type { Language } from '@/lib/language'
import type { AgentId } from '@/lib/mas/ids'
import type { Me } from '@/lib/wire'
import type { AnyRow } from '@/lib/wire/rows'
import type { View } from '@/lib/wire/views'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { ME, NOW } from '@/test/gallery/fixtures/people'
import { type PageServer, startPageServer } from './pageServer'

export { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
export { type PageServer, refused } from './pageServer'
export { fillStorage, setOnScreen, setScreen } from './standIns'

/** A machine that is busy with other things is slow, and that is no fault of the component. */
configure({
  asyncUtilTimeout: 10_000,
  // The words of the page, not its elements: those of one card fill a screen.
  getElementError: (message) =>
    new Error(`${message?.split('\n')[0]}\nThe page says: ${document.body.textContent?.replaceAll(/\s+/g, ' ')}`),
})

/** For `…ByText`: the innermost element that says this, whatever elements its words are in. */
export const saying =
  (words: string | RegExp) =>
  (_: string, element: Element | null): boolean => {
    const isSaid = (one: Element): boolean => {
      const text = one.textContent?.replaceAll(/\s+/g, ' ') ?? ''
      return typeof words === 'string' ? text.includes(words) : words.test(text)
    }
    return element !== null && isSaid(element) && ![...element.children].some(isSaid)
  }

const NOBODY = 'nobody' as AgentId

type Options = {
  at?: string
  me?: Me
  rows?: Readonly<Partial<Record<View, readonly AnyRow[]>>>
  language?: Language
  /** Fixed values instead of a server: what only draws. */
  fixtures?: Fixtures
  /** Set answers before the page asks. */
  prepare?: (server: PageServer) => void
}

function Joined({ children }: { children: ReactNode }) {
  useConnect(true)
  useEffect(joinHistory, [])
  useEffect(joinKeyboard, [])
  return children
}

function Page({
  language = 'en',
  fixtures,
  children,
}: Pick<Options, 'language' | 'fixtures'> & { children: ReactNode }) {
  return (
    <IntlProvider locale={language} messages={language === 'en' ? en : zh} timeZone="UTC">
      <FixturesContext value={fixtures ?? null}>
        <Announcer />
        <NoticeSlot />
        <Joined>{children}</Joined>
        <ToastHost />
      </FixturesContext>
    </IntlProvider>
  )
}

/** A page that shows this, with its server, and the person's hands. */
export async function openPage(children: ReactNode, options: Options = {}) {
  const { at = '/inbox', me = ME, rows = {}, prepare } = options
  const server = startPageServer()
  server.answer('GET /api/me', me)
  prepare?.(server)
  vi.stubGlobal('fetch', server.fetch)
  for (const [view, of] of Object.entries(rows)) server.show(view as View, of ?? [])
  window.history.replaceState(null, '', at)
  // The address of the last test's page is not that of this one.
  joinHistory()()
  laterWords.setState({ isWanted: true, isHere: true })
  // The time of the fixtures, which the beats of the server say too.
  pageClock.syncServerTime(NOW)
  await askSession(() => Promise.resolve(null))
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  const page = render(<Page {...options}>{children}</Page>)
  // Frames of views come with the next animation frame.
  await act(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  return { user, server, ...page, rerender: (next: ReactNode) => page.rerender(<Page {...options}>{next}</Page>) }
}

/** After each test (setup.ts): nothing of it is left for the next one of this process. */
export async function leavePage(): Promise<void> {
  cleanup()
  // The socket closes a moment after the last part has left it.
  await new Promise((resolve) => setTimeout(resolve))
  // The drafts, the outbox and the views of the page are dropped with its person.
  getPageClient().setPerson(NOBODY)
  setDisplay(DEFAULT_DISPLAY)
  // Toasts are not the next test's: those that are drawn, nor those that no list has drawn.
  toast.dismiss()
  drawToasts({ show: () => undefined, close: () => undefined })
  drawToasts(null)
  window.sessionStorage.clear()
}
