/** Writing a message: receivers, text, files, type and stage. The draft is kept until the outbox has stored the message. */
import { Paperclip, Send } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import type { MessageInput } from '@/client/outbox'
import { useDisplay } from '@/client/theme'
import { Button, IconButton } from '@/components/ui/Button'
import { isComposing, isSubmit } from '@/components/ui/fields/keyboard'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import type { MessageId } from '@/lib/mas/ids'
import { typeCommand } from '../fns/members'
import { AttachmentStrip, GroupDialog, MemberList } from '../lazy'
import type { TaskWorld } from '../useTaskWorld'
import { AnswerChip, Capsules, ReplyLine, StagePicker, TypeMenu } from './ComposerParts'
import { changeComposer, restoreToComposer } from './composerState'
import { Preview } from './Preview'
import { addAttachments, pastedFiles } from './useAttachments'
import { type ComposerModel, useComposer } from './useComposer'
import { useMention } from './useMention'
import { VoiceButton } from './VoiceButton'

type ComposerProps = {
  task: TaskWorld
  /** Takes back my last message that failed or waits: ↑ in an empty box. null: there is none. */
  takeBackLast: (() => MessageInput | null) | null
  /** Counts messages that were put back to be edited: each gives the box the focus. */
  timesPutBack: number
}

export function Composer({ task, takeBackLast, timesPutBack }: ComposerProps) {
  const t = useTranslations('chat')
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const sendKey = useDisplay((display) => display.send)
  const composer = useComposer(task)
  const { place, draft, state, files, change, sayWriting } = composer
  const [isNaming, setNaming] = useState(false)
  const mention = useMention(composer, box, () => setNaming(true))
  const { list } = mention
  const { isWriting, ...writing } = useWriting()
  // On a phone an empty composer is one line: the conversation has the room.
  const isIdle = !isWriting && files.length === 0 && state.to.length === 0 && state.replyTo === null

  useAction('compose', 'conversation', { run: () => box.current?.focus() })
  useEffect(() => {
    // Joins the focus: after "Reply" the reader types on.
    if (state.replyTo !== null) box.current?.focus()
  }, [state.replyTo])
  useEffect(() => {
    // Joins the outbox: a message that was taken back is edited here.
    if (timesPutBack > 0) box.current?.focus()
  }, [timesPutBack])

  const write = (text: string, caret: number): void => {
    const command = typeCommand(text)
    if (command) change({ type: command.type })
    draft.setText(command ? command.rest : text)
    sayWriting(text.trim() !== '')
    if (command) mention.close()
    else mention.typed(text, caret)
  }
  const send = (): void => {
    if (composer.send()) box.current?.focus()
  }
  const addFiles = (event: SyntheticEvent, files: readonly File[]): void => {
    if (files.length === 0) return
    event.preventDefault()
    addAttachments(place, files)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event) || mention.onKeyDown(event)) return
    const { selectionStart, selectionEnd } = event.currentTarget
    if (event.key === 'Backspace' && selectionStart === 0 && selectionEnd === 0 && state.to.length > 0) {
      event.preventDefault()
      change({ to: state.to.slice(0, -1), answerOff: false })
    } else if (event.key === 'ArrowUp' && draft.text === '' && takeBackLast) {
      const message = takeBackLast()
      if (!message) return
      event.preventDefault()
      restoreToComposer(place, message)
    } else if (isSubmit(event, sendKey)) {
      event.preventDefault()
      send()
    }
  }

  return (
    <form
      aria-label={t('write')}
      data-idle={isIdle ? '' : undefined}
      {...writing}
      className="group relative shrink-0 px-5 pb-3 [anchor-name:--composer] max-md:px-4 max-md:pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => addFiles(event, [...event.dataTransfer.files])}
    >
      {list === null ? null : <MemberList id={listId} {...list} who={task.who} onPick={mention.choose} />}
      <div className="rounded-card border border-line-strong bg-s2 max-md:group-data-idle:flex max-md:group-data-idle:items-center max-md:group-data-idle:[&>:has(>textarea)]:grow focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus">
        <div className="flex flex-wrap items-center gap-1.5 px-3 pt-2 max-md:group-data-idle:hidden short:group-not-focus-within:hidden">
          <Capsules task={task} composer={composer} />
          <AnswerChip task={task} composer={composer} />
        </div>
        <ReplyLine task={task} composer={composer} />
        <TextArea
          ref={box}
          isBare
          label={t('message')}
          isLabelHidden
          placeholder={t('message')}
          minLines={1}
          maxLines={10}
          value={draft.text}
          onChange={(event) => write(event.target.value, event.target.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={(event) => addFiles(event, pastedFiles(event.clipboardData))}
          onBlur={mention.close}
          {...(list === null ? {} : comboboxProps(listId, list.active))}
        />
        <OtherDraft draft={draft} className="px-3" />
        {isIdle ? null : <Preview text={draft.text} />}
        {files.length > 0 ? <AttachmentStrip place={place} files={files} /> : null}
        {/* A phone has no room for it beside the buttons. */}
        <p className="hidden px-3 pb-1 text-meta text-t3 max-md:group-focus-within:block">{composer.readers}</p>
        <ComposerToolbar task={task} composer={composer} />
      </div>
      {isNaming && Array.isArray(composer.receivers) ? (
        <GroupDialog members={composer.receivers} saved={composer.savedGroups} onClose={() => setNaming(false)} />
      ) : null}
    </form>
  )
}

/** Whether somebody writes here: from the focus in the box until it leaves the form and what the form opened. */
function useWriting(): {
  isWriting: boolean
  onFocus: (event: FocusEvent<HTMLFormElement>) => void
  onBlur: (event: FocusEvent<HTMLFormElement>) => void
} {
  const [isWriting, setWriting] = useState(false)
  return {
    isWriting,
    onFocus: ({ target }) => {
      // A press of a button beside the closed box must not move that button.
      if (target instanceof HTMLTextAreaElement) setWriting(true)
    },
    onBlur: ({ currentTarget: form }) => {
      // Where the focus goes is known after the event.
      setTimeout(() => {
        const at = document.activeElement
        if (!form.contains(at) && !at?.closest('[role=menu], [role=listbox], [role=dialog]')) setWriting(false)
      })
    },
  }
}

const comboboxProps = (listId: string, active: string | null) =>
  ({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': true,
    'aria-controls': listId,
    'aria-activedescendant': `${listId}-${active}`,
  }) as const

function ComposerToolbar({ task, composer }: { task: TaskWorld; composer: ComposerModel }) {
  const t = useTranslations('chat')
  const { place, blocked } = composer
  const { input, choose } = useFileChoice((files) => addAttachments(place, files), { multiple: true })
  return (
    <div className="flex items-center gap-1 px-1.5 pb-1.5 max-md:group-data-idle:pt-1.5 short:group-not-focus-within:hidden">
      {input}
      <IconButton icon={<Paperclip />} label={t('attach.button')} onClick={choose} />
      <span className="contents max-md:group-data-idle:hidden">
        <VoiceButton onRecorded={(file) => addAttachments(place, [file])} />
        <TypeMenu task={task} composer={composer} />
        <StagePicker task={task} composer={composer} />
        <span className="line-clamp-2 min-w-0 grow pr-2 text-right text-meta text-t3 text-pretty max-md:invisible">
          {composer.readers}
        </span>
      </span>
      <Button
        type="submit"
        look={composer.isEmpty ? 'plain' : 'primary'}
        icon={<Send />}
        isDisabled={blocked !== null}
        reason={blocked ?? undefined}
        className="max-md:px-3!"
      >
        <span className="max-md:sr-only">{t('send')}</span>
      </Button>
    </div>
  )
}

/** Address the sender of this message and reply to it. */
export function replyTo(task: TaskWorld, message: MessageId, place = `task:${task.id}`): void {
  const original = task.messages[message]
  if (!original || task.task === null || original.sender === 'system:task') return
  changeComposer(place, {
    to: original.sender === task.me ? original.receivers : [original.sender],
    replyTo: message,
    request: null,
    answerOff: false,
  })
}
