/** The setup as the server has it, fetched when a screen that shows it opens and after each change. Operators only. */
import { useCallback, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useMe } from '@/client/account/session'
import { commandDeadline, newId } from '@/client/api'
import { showToast } from '@/components/ui/overlays/toast'
import type { SetupAnswer } from '@/lib/wire'
import { getSetup, postSetupUndo, type SetupChange } from './setupCalls'

type Held = { of: string | null; setup: SetupAnswer | null; why: string | null }
const held = createStore<Held>()(() => ({ of: null, setup: null, why: null }))

async function load(person: string): Promise<void> {
  const answer = await getSetup()
  held.setState(({ of, setup }) =>
    answer.ok
      ? { of: person, setup: answer.value, why: null }
      : { of: person, setup: of === person ? setup : null, why: answer.fault.message },
  )
}

/** out: setup null: not fetched yet, or this member sees none of it; why: it could not be fetched */
export function useSetup(): { isOperator: boolean; setup: SetupAnswer | null; why: string | null; reload: () => void } {
  const person = useMe()?.person
  const id = person?.agent_id ?? null
  const isOperator = person?.access === 'operator'
  const reload = useCallback(() => {
    if (id !== null && isOperator) void load(id)
  }, [id, isOperator])
  // Joins the server: fetched when the screen opens.
  useEffect(reload, [reload])
  const { of, setup, why } = useStore(held)
  return of === id && isOperator ? { isOperator, setup, why, reload } : { isOperator, setup: null, why: null, reload }
}

/** Take a change back; the result is shown in a toast. onUndone: after the change was taken back */
export function useUndo(onUndone?: () => void): (kind: SetupChange['kind'], id: string, change: number) => void {
  const t = useTranslations('setup')
  const { reload } = useSetup()
  return (kind, id, change) => {
    void postSetupUndo(kind, id, change, { id: newId(), until: commandDeadline() }).then((answer) => {
      if (answer.ok) {
        onUndone?.()
        showToast('done', t('undone', { name: id }))
      } else showToast('error', answer.fault.error === 'NO_ANSWER' ? t('noAnswer') : answer.fault.message)
      reload()
    })
  }
}
