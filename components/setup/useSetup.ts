/** The setup as the server has it, fetched when a screen that shows it opens and after each change. Operators only. */
import { useCallback, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useMe } from '@/client/account/session'
import type { ApiResult, CallRefused } from '@/client/api'
import { type Act, actAt } from '@/components/operate/acts'
import type { SetupAnswer } from '@/lib/wire'
import { getSetup, postSetupChange, type SetupChange } from './setupCalls'

type Held = { of: string | null; setup: SetupAnswer | null; fault: CallRefused | null }
const held = createStore<Held>()(() => ({ of: null, setup: null, fault: null }))

async function load(person: string): Promise<void> {
  const answer = await getSetup()
  held.setState(({ of, setup }) =>
    answer.ok
      ? { of: person, setup: answer.value, fault: null }
      : { of: person, setup: of === person ? setup : null, fault: answer.fault },
  )
}

/** out: setup null: not fetched yet, or this member sees none of it; fault: of the last request */
export function useSetup(): Omit<Held, 'of'> & { isOperator: boolean; reload: () => void } {
  const person = useMe()?.person
  const id = person?.agent_id ?? null
  const isOperator = person?.access === 'operator'
  const reload = useCallback(() => {
    if (id !== null && isOperator) void load(id)
  }, [id, isOperator])
  // Joins the server: fetched when the screen opens.
  useEffect(reload, [reload])
  const { of, setup, fault } = useStore(held)
  return of === id && isOperator
    ? { isOperator, setup, fault, reload }
    : { isOperator, setup: null, fault: null, reload }
}

/**
 * A change of the setup as an act, after which the setup is fetched again.
 *
 * in      place: of its draft; changes: what is sent, or what makes it when it is sent
 */
export function useSetupAct(): (
  place: string,
  changes: SetupChange[] | (() => Promise<ApiResult<SetupChange[]>>),
) => Act {
  const { reload } = useSetup()
  return (place, changes) =>
    actAt(place, async (_, head) => {
      const wanted = typeof changes === 'function' ? await changes() : { ok: true as const, value: changes }
      const answer = wanted.ok ? await postSetupChange(wanted.value, head) : wanted
      reload()
      return answer
    })
}
