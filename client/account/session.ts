/** Who is signed in on this page, and since when no longer. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Me, Settings } from '@/lib/wire'
import { useFixtures } from '../fixtures'
import { getDisplay, setDisplay } from '../theme'
import { setViewCacheOwner } from '../viewCacheOwner'
import { type AccountResult, getMe, putSettings, signOutSession } from './api'
import { hasChosenLanguage, setLanguage } from './language'
import { rememberPerson } from './rememberedPeople'

/** asking: not known yet · in · out: the server says so · unreachable: it does not answer, `me` is who was here last, if that is known. `me` stays when a session ends. */
export type SessionState = { status: 'asking' | 'in' | 'out' | 'unreachable'; me: Me | null }

const sessionStore = createStore<SessionState>()(() => ({ status: 'asking', me: null }))
const ASK_AGAIN_MS = 5_000
/** Whoever waits longer than this is shown what is known. */
const PATIENCE_MS = 5_000

/** The member's settings as kept by the server become this browser's. */
function takeSettings(settings: Settings): void {
  const { theme, density, textScale, singleKeys, keys, language } = settings
  const display = getDisplay()
  setDisplay({
    theme: theme ?? display.theme,
    density: density ?? display.density,
    scale: textScale === undefined ? display.scale : ((Math.round(textScale * 10) * 10) as typeof display.scale),
    singleKeys: singleKeys ?? display.singleKeys,
    keys: keys ?? display.keys,
  })
  if (language && !hasChosenLanguage()) setLanguage(language)
}

/**
 * Ask the server who I am; asks again by itself while there is no answer.
 *
 * in      recall: shows what is known without the server, and says of whom
 */
export async function askSession(recall: () => Promise<Me | null>): Promise<void> {
  const patience = setTimeout(() => void goOnAlone(recall), PATIENCE_MS)
  const answer = await getMe()
  clearTimeout(patience)
  if (answer.ok) {
    const { person } = answer.value
    rememberPerson({ agentId: person.agent_id, id: person.id ?? person.agent_id, name: person.name })
    setViewCacheOwner(person.agent_id)
    takeSettings(answer.value.settings)
    sessionStore.setState({ status: 'in', me: answer.value })
  } else if (answer.status === 401) {
    sessionEnded()
  } else {
    await goOnAlone(recall)
    setTimeout(() => void askSession(recall), ASK_AGAIN_MS)
  }
}

async function goOnAlone(recall: () => Promise<Me | null>): Promise<void> {
  const me = sessionStore.getState().me ?? (await recall().catch(() => null))
  // It may have been heard meanwhile.
  if (sessionStore.getState().status === 'asking') sessionStore.setState({ status: 'unreachable', me })
}

/** The server no longer knows this session (the socket or a call was told so). */
export function sessionEnded(): void {
  setViewCacheOwner(null)
  sessionStore.setState({ status: 'out' })
}

const leaving = new Set<() => Promise<void>>()

/** To be done while the session still counts; a part that is fetched late says so itself. out: no more. */
export function beforeSignOut(leave: () => Promise<void>): () => void {
  leaving.add(leave)
  return () => void leaving.delete(leave)
}

/** Sign out and go to the sign-in page. */
export async function signOut(): Promise<AccountResult<unknown>> {
  for (const leave of leaving) await leave().catch(() => undefined)
  const answer = await signOutSession()
  if (answer.ok || answer.status === 401) window.location.assign('/login')
  return answer
}

/** Keep settings with the member, so that the next browser has them. */
export async function keepSettings(change: Settings): Promise<AccountResult<Settings>> {
  const answer = await putSettings(change)
  const { me } = sessionStore.getState()
  if (answer.ok && me) sessionStore.setState({ me: { ...me, settings: answer.value } })
  return answer
}

/** I have a password now. */
export function passwordWasSet(): void {
  const { me } = sessionStore.getState()
  if (me) sessionStore.setState({ me: { ...me, hasPassword: true } })
}

export const useSession = (): SessionState => useStore(sessionStore)
export function useMe(): Me | null {
  const still = useFixtures()
  const me = useStore(sessionStore, (session) => session.me)
  return still?.me ?? me
}
