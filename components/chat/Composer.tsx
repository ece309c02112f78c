/** Writing a message: to whom, as what, in answer to what; the text is kept until it is stored to be sent. */
import { Paperclip, Send } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { getPageClient } from '@/client'
import { useMe } from '@/client/account/session'
import { useDraft } from '@/client/drafts'
import { type MessageInput, queueMessage } from '@/client/outbox'
import { useDisplay } from '@/client/theme'
import { useKey } from '@/components/shell/keyboard'
import { attachmentStrip, groupDialog, memberList } from '@/components/shell/lazyParts'
import { Button, IconButton } from '@/components/ui/Button'
import { isComposing, isSubmit } from '@/components/ui/keyboard'
import { useLazy } from '@/components/ui/lazy'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { TextArea } from '@/components/ui/TextField'
import { showToast } from '@/components/ui/toast'
import { useLazyPart } from '@/components/ui/useLazyPart'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import { AnswerChip, Capsules, ReplyLine, StagePicker, TypeMenu } from './ComposerParts'
import { changeComposer, composerOf, restoreToComposer } from './composerState'
import { answeredRequest, openRequestsFor } from './fns/answers'
import {
  bestMatch,
  chosenReceivers,
  matchingChoices,
  mentionAt,
  receiverChoices,
  SAVE_GROUP,
  typeCommand,
} from './fns/members'
import { addAttachments, clearUploads, useAttachments } from './useAttachments'
import type { TaskWorld } from './useTaskWorld'
import { VoiceButton } from './VoiceButton'

export type ComposerProps = {
  task: TaskWorld
  /** A private conversation: where its text is kept, whom it goes to, and the choice of the task it is sent in. */
  alone?: { place: string; to: AgentId; picker: ReactNode }
  /** The last message of mine that was refused or waits: ↑ in an empty box takes it back. */
  takeBackLast: (() => MessageInput | null) | null
  /** How often one of mine was put back, to be edited: the box takes the focus. */
  timesPutBack: number
}

export function Composer({ task, alone, takeBackLast, timesPutBack }: ComposerProps) {
  const t = useTranslations('chat')
  const taskId = task.task?.id ?? ''
  /** What is written is kept by its place; who changes the task of a private message takes it along. */
  const keptAt = alone?.place ?? `task:${taskId}`
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const sendKey = useDisplay((display) => display.send)
  const draft = useDraft(keptAt)
  const state = useMemo(() => composerOf(draft.more), [draft.more])
  const [mention, setMention] = useState<{ from: number; typed: string } | null>(null)
  /** Where the arrow keys went; null: what fits best. */
  const [picked, setPicked] = useState<number | null>(null)
  const [isNaming, setNaming] = useState(false)
  const groupPart = useLazy(groupDialog, isNaming, () => setNaming(false))

  const saved = useMe()?.settings.groups ?? []
  const choices = task.task ? receiverChoices(task.world, task.task.id, task.me, saved) : []
  const chosen = alone ? [alone.to] : state.chosen
  const receivers = chosenReceivers(chosen, choices)
  const open = openRequestsFor(task.requests, task.me, receivers)
  const answered = answeredRequest(task.requests, task.me, {
    receivers,
    replyTo: state.replyTo,
    picked: state.request,
    isOff: state.isAnswerOff,
  })
  const running = task.stages.find((stage) => stage.state === 'running')?.id ?? null
  const stage = task.isBase ? null : state.stage === undefined ? running : state.stage
  const shown =
    mention === null ? [] : matchingChoices(choices, mention.typed).filter(({ id }) => !state.chosen.includes(id))
  const canSave = Array.isArray(receivers) && receivers.length > 1
  const isListOpen = mention !== null && (shown.length > 0 || (canSave && mention.typed === ''))
  const Members = useLazyPart(memberList, mention !== null)
  // The line that keeps a group stands last, and only while nothing is typed that it could be taken for.
  const lines = [...shown.map(({ id }) => id), ...(canSave && mention?.typed === '' ? [SAVE_GROUP] : [])]
  const place = Math.min(picked ?? bestMatch(shown, mention?.typed ?? ''), lines.length - 1)
  const active = lines[place]
  const files = useAttachments(keptAt, state.files)
  const strip = useLazy(attachmentStrip, files.length > 0, () => undefined)
  const ready = state.files.map(({ id, alt, ...file }) => (alt.trim() === '' ? file : { ...file, alt: alt.trim() }))
  const onTheWay = files.filter((file) => file.state === 'sending').length
  const isEmpty = draft.text.trim() === '' && ready.length === 0
  const agents = choices.filter(
    (one) => one.kind === 'agent' && (receivers === 'all' || (Array.isArray(receivers) && receivers.includes(one.id))),
  )
  const whoReads = [
    task.isBase ? t('baseReaders') : t('everyoneReads'),
    ...(agents.length > 0 ? [t('agentsRead', { count: agents.length })] : []),
  ].join(' · ')
  const isSomeoneGone = chosen.some((id) => !choices.some((choice) => choice.id === id))
  const nobody = choices.length === 0 || (Array.isArray(receivers) && receivers.length === 0)

  useKey('c', t('key.compose'), () => box.current?.focus())

  useEffect(() => {
    // Joins the focus: whoever pressed Reply goes on writing.
    if (state.replyTo !== null) box.current?.focus()
  }, [state.replyTo])

  const say = (isWriting: boolean): void => {
    // An answer is told as one; else whoever reads here sees that something is coming.
    getPageClient().live.sendDrafting(answered?.id ?? keptAt, isWriting)
  }
  const write = (text: string, caret: number): void => {
    const command = typeCommand(text)
    if (command) changeComposer(keptAt, { type: command.type })
    draft.setText(command ? command.rest : text)
    say(text.trim() !== '')
    setMention(command || alone ? null : mentionAt(text, caret))
    setPicked(null)
  }
  const choose = (id: string): void => {
    if (mention === null) return
    if (id === SAVE_GROUP) {
      setMention(null)
      setNaming(true)
      return
    }
    const end = mention.from + 1 + mention.typed.length
    // Drawn at once: a caret that is put back a frame later would jump from behind what was typed meanwhile.
    flushSync(() => {
      draft.setText(`${draft.text.slice(0, mention.from)}${draft.text.slice(end).replace(/^\s/u, '')}`)
      changeComposer(keptAt, { chosen: [...state.chosen, id], isAnswerOff: false })
      setMention(null)
    })
    box.current?.focus()
    box.current?.setSelectionRange(mention.from, mention.from)
  }
  useEffect(() => {
    // Joins the outbox: what was taken back there goes on here.
    if (timesPutBack > 0) box.current?.focus()
  }, [timesPutBack])
  const send = (): void => {
    if (isEmpty || nobody || isSomeoneGone || onTheWay > 0 || task.task === null) return
    const sent = queueMessage({
      task: task.task.id,
      receivers,
      text: draft.text.trim(),
      type: state.type,
      stage,
      answers: answered?.id ?? null,
      replyTo: state.replyTo ?? answered?.message ?? null,
      mention: chosen.length > 0,
      ...(ready.length > 0 ? { attachments: ready } : {}),
    })
    // Not kept means not sent: then the text stays in the box.
    if (sent === null) {
      showToast('error', t('notKept'))
      return
    }
    say(false)
    // Who was addressed stays out of the next message too, so that nobody gets one by habit.
    draft.clear()
    clearUploads(keptAt)
    box.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event)) return
    if (isListOpen) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) {
        event.preventDefault()
        setPicked((place + step + lines.length) % lines.length)
        return
      }
      if ((event.key === 'Enter' || event.key === 'Tab') && active) {
        event.preventDefault()
        choose(active)
        return
      }
      if (event.key === 'Escape') {
        event.preventDefault()
        event.stopPropagation()
        setMention(null)
        return
      }
    }
    const { selectionStart, selectionEnd } = event.currentTarget
    if (event.key === 'Backspace' && selectionStart === 0 && selectionEnd === 0 && state.chosen.length > 0) {
      event.preventDefault()
      changeComposer(keptAt, { chosen: state.chosen.slice(0, -1), isAnswerOff: false })
      return
    }
    if (event.key === 'ArrowUp' && draft.text === '' && takeBackLast) {
      const wish = takeBackLast()
      if (!wish) return
      event.preventDefault()
      restoreToComposer(keptAt, wish)
      return
    }
    if (isSubmit(event, sendKey)) {
      event.preventDefault()
      send()
    }
  }

  return (
    <form
      aria-label={t('write')}
      className="group relative shrink-0 px-5 pb-3 max-md:px-4 max-md:pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        addAttachments(keptAt, event.dataTransfer.files)
      }}
    >
      {isListOpen && Members !== null ? (
        <Members
          id={listId}
          choices={shown}
          active={active ?? null}
          who={task.who}
          onPick={choose}
          onSave={lines.includes(SAVE_GROUP) ? () => choose(SAVE_GROUP) : null}
        />
      ) : null}
      <div className="rounded-card border border-line-strong bg-s2 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus">
        <div className="flex flex-wrap items-center gap-1.5 px-3 pt-2 short:group-not-focus-within:hidden">
          <Capsules
            chosen={chosen}
            choices={choices}
            who={task.who}
            onRemove={
              alone
                ? null
                : (id) =>
                    changeComposer(keptAt, { chosen: state.chosen.filter((one) => one !== id), isAnswerOff: false })
            }
          />
          <AnswerChip
            open={open}
            answered={answered}
            isOff={state.isAnswerOff}
            who={task.who}
            onPick={(request) => changeComposer(keptAt, { request, isAnswerOff: false })}
            onOff={() => {
              say(false)
              changeComposer(keptAt, { isAnswerOff: true })
            }}
          />
          {alone ? <span className="ml-auto">{alone.picker}</span> : null}
        </div>
        <ReplyLine
          original={state.replyTo === null ? null : (task.messages[state.replyTo] ?? null)}
          who={task.who}
          onDrop={() => changeComposer(keptAt, { replyTo: null })}
        />
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
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            addAttachments(keptAt, event.clipboardData.files)
          }}
          onBlur={() => setMention(null)}
          {...(isListOpen
            ? {
                role: 'combobox',
                'aria-autocomplete': 'list',
                'aria-expanded': true,
                'aria-controls': listId,
                'aria-activedescendant': active ? `${listId}-${active}` : undefined,
              }
            : {})}
        />
        <OtherDraft draft={draft} className="px-3" />
        {files.length > 0 && strip !== null ? <strip.default place={keptAt} files={files} /> : null}
        {/* Beside the buttons a phone has no room for it. */}
        <p className="hidden px-3 pb-1 text-meta text-t3 max-md:group-focus-within:block">{whoReads}</p>
        <div className="flex items-center gap-1 px-1.5 pb-1.5 short:group-not-focus-within:hidden">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              addAttachments(keptAt, target.files ?? [])
              // The same file may be chosen again after it was taken away.
              target.value = ''
            }}
          />
          <IconButton
            icon={<Paperclip aria-hidden />}
            label={t('attach.button')}
            onClick={() => picker.current?.click()}
          />
          <VoiceButton onRecorded={(file) => addAttachments(keptAt, [file])} />
          <TypeMenu type={state.type} onChange={(type) => changeComposer(keptAt, { type })} />
          {alone || task.isBase || task.stages.length === 0 ? null : (
            <StagePicker
              stages={task.stages}
              value={stage}
              onChange={(next) => changeComposer(keptAt, { stage: next })}
            />
          )}
          <span className="line-clamp-2 min-w-0 grow pr-2 text-right text-meta text-t3 text-pretty max-md:invisible">
            {whoReads}
          </span>
          <Button
            type="submit"
            look={isEmpty ? 'plain' : 'primary'}
            icon={<Send aria-hidden />}
            isDisabled={isEmpty || nobody || isSomeoneGone || onTheWay > 0}
            reason={
              isSomeoneGone
                ? t('someoneGone')
                : nobody
                  ? t('nobodyHere')
                  : onTheWay > 0
                    ? t('attach.wait', { count: onTheWay })
                    : t('writeFirst')
            }
            className="max-md:px-3!"
          >
            <span className="max-md:sr-only">{t('send')}</span>
          </Button>
        </div>
      </div>
      {isNaming && groupPart !== null && Array.isArray(receivers) ? (
        <groupPart.default members={receivers} saved={saved} onClose={() => setNaming(false)} />
      ) : null}
    </form>
  )
}

/** Address the sender of this message and answer it. */
export function replyTo(task: TaskWorld, message: MessageId, place = `task:${task.id}`): void {
  const original = task.messages[message]
  if (!original || task.task === null || original.sender === 'system:task') return
  changeComposer(place, {
    chosen: original.sender === task.me ? original.receivers : [original.sender],
    replyTo: message,
    request: null,
    isAnswerOff: false,
  })
}
