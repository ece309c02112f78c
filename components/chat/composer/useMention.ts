/** The list of receivers that opens while "@" is typed: what it offers, which line is active, its keys. */
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { mentionAt } from '@/components/ui/fields/mentionAt'
import { bestMatch, matchingChoices, SAVE_GROUP } from '../fns/members'
import type { ComposerModel } from './useComposer'

/** in: onSaveGroup: the line "save as a group" was chosen */
export function useMention(
  { choices, receivers, state, draft, change }: ComposerModel,
  box: RefObject<HTMLTextAreaElement | null>,
  onSaveGroup: () => void,
) {
  const [mention, setMention] = useState<{ from: number; typed: string } | null>(null)
  /** Where the arrow keys went; null: the best match. */
  const [picked, setPicked] = useState<number | null>(null)
  const query = mention?.typed ?? ''
  const shown = mention === null ? [] : matchingChoices(choices, query).filter(({ id }) => !state.to.includes(id))
  // Offered only while nothing is typed that the line could be taken for.
  const canSave = mention !== null && query === '' && receivers !== 'all' && receivers.length > 1
  const options = [...shown.map(({ id }) => id), ...(canSave ? [SAVE_GROUP] : [])]
  const index = Math.min(picked ?? bestMatch(shown, query), options.length - 1)
  const active = options[index] ?? null

  const close = (): void => setMention(null)
  const choose = (id: string): void => {
    if (mention === null) return
    if (id === SAVE_GROUP) {
      close()
      onSaveGroup()
      return
    }
    const end = mention.from + 1 + mention.typed.length
    // Drawn at once: a caret set a frame later would jump over what was typed meanwhile.
    flushSync(() => {
      draft.setText(`${draft.text.slice(0, mention.from)}${draft.text.slice(end).replace(/^\s/u, '')}`)
      change({ to: [...state.to, id], answerOff: false })
      close()
    })
    box.current?.focus()
    box.current?.setSelectionRange(mention.from, mention.from)
  }
  /** out: whether the key belonged to the list */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (active === null) return false
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setPicked((index + step + options.length) % options.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(active)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else return false
    event.preventDefault()
    return true
  }
  return {
    /** The lines offered; null: nothing fits. */
    list: active === null ? null : { choices: shown, active, canSave },
    typed: (text: string, caret: number): void => {
      setMention(mentionAt(text, caret))
      setPicked(null)
    },
    close,
    choose,
    onKeyDown,
  }
}
