import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Me, Settings } from '@/lib/wire'
import type { ApiResult } from '../api'
import { useFixtures } from '../fixtures'
import { getDisplay, setDisplay } from '../theme'
import { getMe, putSettings, signOutSession } from './api'
import { hasChosenLanguage, setLanguage } from './language'
import { rememberPerson, setViewCacheOwner } from './rememberedPeople'

/**
 * asking       not known yet
 * in, out      as the server says; `me` stays when a session ends
 * unreachable  no answer; `me` is the cached person, if there is one
 */
export type SessionState = { status: 'asking' | 'in' | 'out' | 'unreachable'; me: Me | null }

const sessionStore = createStore<SessionState>()(() => ({ status: 'asking', me: null }))
const RETRY_MS = 5_000
/** The cached person is shown when the server has not answered by then. */
const SHOW_REMEMBERED_AFTER_MS = 5_000

function applySettings(settings: Settings): void {
  const { theme, density, textScale, singleKeys, keys, language, timeZone } = settings
  const display = getDisplay()
  setDisplay({
    theme: theme ?? display.theme,
    density: density ?? display.density,
    scale: textScale === undefined ? display.scale : ((Math.round(textScale * 10) * 10) as typeof display.scale),
    singleKeys: singleKeys ?? display.singleKeys,
    keys: keys ?? display.keys,
    zone: timeZone === undefined ? display.zone : timeZone,
  })
  if (language && !hasChosenLanguage()) setLanguage(language)
}

/**
 * Ask the server who is signed in; retries while there is no answer.
 *
 * in      recall: shows the cached views and returns whose they are
 */
export async function askSession(recall: () => Promise<Me | null>): Promise<void> {
  const patience = setTimeout(() => void showRemembered(recall), SHOW_REMEMBERED_AFTER_MS)
  const answer = await getMe()
  clearTimeout(patience)
  if (answer.ok) {
    const { person } = answer.value
    rememberPerson({ agentId: person.agent_id, id: person.id ?? person.agent_id, name: person.name })
    setViewCacheOwner(person.agent_id)
    applySettings(answer.value.settings)
    sessionStore.setState({ status: 'in', me: answer.value })
  } else if (answer.fault.status_code === 401) {
    endSession()
  } else {
    await showRemembered(recall)
    setTimeout(() => void askSession(recall), RETRY_MS)
  }
}

async function showRemembered(recall: () => Promise<Me | null>): Promise<void> {
  const me = sessionStore.getState().me ?? (await recall().catch(() => null))
  // The server may have answered meanwhile.
  if (sessionStore.getState().status === 'asking') sessionStore.setState({ status: 'unreachable', me })
}

export function endSession(): void {
  setViewCacheOwner(null)
  sessionStore.setState({ status: 'out' })
}

const signOutHooks = new Set<() => Promise<void>>()

/** Register work to be done before signing out, while the session is still valid. out: removes it. */
export function beforeSignOut(leave: () => Promise<void>): () => void {
  signOutHooks.add(leave)
  return () => void signOutHooks.delete(leave)
}

export async function signOut(): Promise<ApiResult<unknown>> {
  for (const leave of signOutHooks) await leave().catch(() => undefined)
  const answer = await signOutSession()
  // 401: the session has ended already.
  if (!answer.ok && answer.fault.status_code !== 401) return answer
  // A provider of the session is signed out of too; it leads back to the sign-in page.
  window.location.assign((answer.ok ? answer.value.next : undefined) ?? '/login')
  return { ok: true, value: null }
}

/** What is changed, or, of a list, made from what the server has: another browser may have changed it since this page loaded. */
export type SettingsChange = Settings | ((now: Settings) => Settings)

let lastTurn: Promise<unknown> = Promise.resolve()

/** Settings are saved and read one after the other, so that no older answer replaces a newer one. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = lastTurn.then(work)
  // The caller gets a failure; the next one is not kept from its turn.
  lastTurn = done.catch(() => undefined)
  return done
}

/** Save settings on the server, for all of the person's browsers. */
export const saveSettings = (change: SettingsChange): Promise<ApiResult<Settings>> => inTurn(() => saveNow(change))

/** Read settings that another page has changed. What a page displays by itself, such as its theme, stays until it is loaded again. */
export const refreshSettings = (): Promise<void> =>
  inTurn(async () => {
    const answer = await getMe()
    if (answer.ok && sessionStore.getState().status === 'in') sessionStore.setState({ me: answer.value })
  })

async function saveNow(change: SettingsChange): Promise<ApiResult<Settings>> {
  const made = typeof change === 'function' ? await changeNewest(change) : ({ ok: true, value: change } as const)
  const answer = made.ok ? await putSettings(made.value) : made
  const { me } = sessionStore.getState()
  if (answer.ok && me) sessionStore.setState({ me: { ...me, settings: answer.value } })
  return answer
}

async function changeNewest(change: (now: Settings) => Settings): Promise<ApiResult<Settings>> {
  const me = await getMe()
  return me.ok ? { ok: true, value: change(me.value.settings) } : me
}

export function markPasswordSet(): void {
  const { me } = sessionStore.getState()
  if (me) sessionStore.setState({ me: { ...me, hasPassword: true } })
}

/** Has this person no way to come back by themselves, though a password would be one? */
export const mustSetPassword = ({ hasPassword, passwords, provider }: Me): boolean =>
  !hasPassword && passwords !== false && !provider

export const useSession = (): SessionState => useStore(sessionStore)
export function useMe(): Me | null {
  const fixtures = useFixtures()
  const me = useStore(sessionStore, (session) => session.me)
  return fixtures?.me ?? me
}
