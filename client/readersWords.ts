/** What the program itself said or named, in the language of this page; what people and agents wrote stays as it is. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { withIsolates } from '@/lib/format/hiddenSigns'
import type { Language, MessageRecord, RequestRecord } from '@/lib/mas/records'
import type * as SaidModule from '@/lib/mas/said'
import { taskTitleIn } from '@/lib/mas/tasks/taskTitle'
import type { WaitRow } from '@/lib/wire'
import { getLanguage, useLanguage } from './account/language'

type Sentences = typeof SaidModule
/** null: not loaded. Texts are kept in the team's language; its readers need no others (5 kB). */
const sentences = createStore<{ said: Sentences | null }>()(() => ({ said: null }))

const languageOf = (locale: ReturnType<typeof getLanguage>): Language | null => (locale === 'en-XA' ? 'en' : locale)

/**
 * Load the sentences of the program where this page has another language than the team.
 *
 * out     another key once they are loaded: what is drawn already is drawn again
 */
export function useReadersWords(team: Language | null): 'kept' | 'said' {
  const reader = languageOf(useLanguage())
  const isHere = useStore(sentences, ({ said }) => said !== null)
  const isWanted = !isHere && team !== null && reader !== null && reader !== team
  useEffect(() => {
    // Joins the network; without them texts stay in the team's language.
    if (isWanted)
      void import('@/lib/mas/said').then(
        (said) => sentences.setState({ said }),
        () => undefined,
      )
  }, [isWanted])
  return isHere ? 'said' : 'kept'
}

function told(record: Parameters<Sentences['textIn']>[1]): string {
  const reader = languageOf(getLanguage())
  const { said } = sentences.getState()
  return withIsolates(reader === null || said === null ? record.text : said.textIn(reader, record), record.said?.with)
}

export const messageText = ({ text, said }: Pick<MessageRecord, 'text' | 'said'>): string => told({ text, said })

/** The end of its task without the summary, where the result beside it shows that. */
export function endText(message: Pick<MessageRecord, 'text' | 'said'>): string {
  const text = messageText(message)
  const summary = message.said?.say === 'taskEnded' ? message.said.with.summary : undefined
  return typeof summary === 'string' && text.endsWith(summary) ? text.slice(0, -summary.length).trimEnd() : text
}

export const questionText = ({ question, said }: Pick<RequestRecord, 'question' | 'said'>): string =>
  told({ text: question, said })

/** What a wait is about. */
export const waitText = ({ what, said }: Pick<WaitRow, 'what' | 'said'>): string => told({ text: what, said })

/** How the console calls a task. */
export const taskTitle = (name: string): string => taskTitleIn(languageOf(getLanguage()) ?? 'en', name)
