import { ChevronDown, CornerDownRight, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { messageText, questionText } from '@/client/readersWords'
import { Drafters } from '@/components/request/card/Drafters'
import { Button, IconButton } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { CapsuleRemoveButton, NameCapsule } from '@/components/ui/marks/Avatar'
import { TypeIcon } from '@/components/ui/marks/Badges'
import { Menu } from '@/components/ui/overlays/Menu'
import { firstWords } from '@/lib/format/plainText'
import type { RequestId, SenderId } from '@/lib/mas/ids'
import {
  MESSAGE_TYPES,
  type MessageRecord,
  type MessageType,
  type RequestRecord,
  type StageRecord,
} from '@/lib/mas/records'
import { placeInPlan } from '@/lib/mas/selectors/tasks/plan'
import { stageName } from '@/lib/mas/taskTitle'
import type { Who } from '@/lib/wire/rows'
import type { ReceiverChoice } from '../fns/members'

type WhoOf = (id: SenderId) => Who

type CapsulesProps = {
  chosen: readonly string[]
  choices: readonly ReceiverChoice[]
  who: WhoOf
  /** null: the receivers are fixed. */
  onRemove: ((id: string) => void) | null
}

/** The receivers: everyone, or the chosen ones. Groups have square capsules. */
export function Capsules({ chosen, choices, who, onRemove }: CapsulesProps) {
  const t = useTranslations('chat')
  if (chosen.length === 0) return <NameCapsule who={null} />
  return chosen.map((id) => {
    const choice = choices.find((one) => one.id === id)
    if (choice === undefined) return <GoneCapsule key={id} id={id} who={who} onRemove={onRemove} />
    const removeLabel = t('remove', { name: choice.name })
    if (!('members' in choice)) {
      return (
        <NameCapsule
          key={id}
          who={who(choice.id)}
          onRemove={onRemove ? () => onRemove(id) : undefined}
          removeLabel={removeLabel}
        />
      )
    }
    return (
      <span
        key={id}
        className="inline-flex h-5 items-center gap-1 rounded-control bg-idle-b px-1.5 text-meta font-medium text-t2 touch:h-7"
      >
        @{choice.name} · {choice.members.length}
        {onRemove === null ? null : <CapsuleRemoveButton label={removeLabel} onClick={() => onRemove(id)} />}
      </span>
    )
  })
}

/** A chosen receiver that has left the task; shown until it is removed, so that nobody believes it gets the message. */
function GoneCapsule({ id, who, onRemove }: { id: string; who: WhoOf; onRemove: ((id: string) => void) | null }) {
  const t = useTranslations('chat')
  const isGroup = /^(group|saved):/.test(id)
  const gone = isGroup ? null : who(id as SenderId)
  const name = gone?.name ?? id.slice(id.indexOf(':') + 1)
  return (
    <span className="inline-flex h-5 items-center gap-1 rounded-control border border-dashed border-line-strong px-1.5 text-meta text-t3 touch:h-7">
      <s>@{name}</s>
      {onRemove === null ? null : <CapsuleRemoveButton label={t('remove', { name })} onClick={() => onRemove(id)} />}
    </span>
  )
}

type AnswerChipProps = {
  open: readonly RequestRecord[]
  answered: RequestRecord | null
  isOff: boolean
  who: WhoOf
  onPick: (request: RequestId) => void
  onOff: () => void
}

/** “Answers request 12 from Coder ✕”; a picker when several are open; a warning once it was removed. */
export function AnswerChip({ open, answered, isOff, who, onPick, onOff }: AnswerChipProps) {
  const t = useTranslations('chat')
  const first = open[0]
  if (first === undefined) return null
  const asker = who(first.asker).name
  if (isOff || answered === null) {
    return (
      <span role="status" className="flex items-center gap-1.5 text-meta text-waiting">
        {t('goesOnWaiting', { who: asker })}
        <Button look="quiet" className="h-6!" onClick={() => onPick(first.id)}>
          {t('answerAfterAll')}
        </Button>
      </span>
    )
  }
  const words = t('answers', { number: answered.number, who: asker })
  return (
    <span className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-control border border-dashed border-wait-line px-1.5 text-meta text-waiting">
      <CornerDownRight className="size-3.5 shrink-0" />
      {open.length > 1 ? (
        <Menu
          label={t('whichRequest')}
          align="start"
          trigger={
            <button type="button" className="flex min-w-0 items-center gap-1">
              <span className="cut">{words}</span>
              <ChevronDown className="size-3.5 shrink-0" />
            </button>
          }
          entries={[
            {
              kind: 'choice',
              label: t('whichRequest'),
              value: answered.id,
              options: open.map((one) => ({
                value: one.id,
                label: `${one.number} · ${firstWords(questionText(one), 50)}`,
              })),
              onChange: (value) => {
                const request = open.find(({ id }) => id === value)
                if (request) onPick(request.id)
              },
            },
          ]}
        />
      ) : (
        <span className="cut">{words}</span>
      )}
      <button
        type="button"
        aria-label={t('notAnswer')}
        title={t('notAnswer')}
        onClick={onOff}
        className="relative shrink-0 after:absolute after:-inset-1.5"
      >
        <X className="size-3.5" />
      </button>
    </span>
  )
}

type ReplyLineProps = { original: MessageRecord | null; who: WhoOf; onDrop: () => void }

export function ReplyLine({ original, who, onDrop }: ReplyLineProps) {
  const t = useTranslations('chat')
  if (original === null) return null
  return (
    <p className="mx-3 mt-1.5 flex items-center gap-1.5 border-l-2 border-line-strong pl-2 text-meta text-t2">
      <span className="cut grow">
        {t('replyTo', { who: who(original.sender).name, text: firstWords(messageText(original), 100) })}
      </span>
      <IconButton icon={<X />} label={t('noReply')} className="size-6!" onClick={onDrop} />
    </p>
  )
}

export function TypeMenu({ type, onChange }: { type: MessageType; onChange: (type: MessageType) => void }) {
  const t = useTranslations()
  return (
    <Menu
      label={t('chat.typeMenu')}
      align="start"
      trigger={
        <Button look="quiet" icon={<TypeIcon type={type} />} aria-label={t('chat.type', { type: t(`type.${type}`) })}>
          <span className="max-md:sr-only">{t(`type.${type}`)}</span>
          <ChevronDown />
        </Button>
      }
      entries={[
        {
          kind: 'choice',
          label: t('chat.typeMenu'),
          value: type,
          options: MESSAGE_TYPES.map((one) => ({ value: one, label: t(`type.${one}`), icon: <TypeIcon type={one} /> })),
          onChange: (value) => {
            const next = MESSAGE_TYPES.find((one) => one === value)
            if (next) onChange(next)
          },
        },
      ]}
    />
  )
}

type StagePickerProps = {
  stages: readonly StageRecord[]
  value: string | null
  onChange: (stage: string | null) => void
}

export function StagePicker({ stages, value, onChange }: StagePickerProps) {
  const t = useTranslations('chat')
  const shown = stages.filter(({ replacedBy }) => replacedBy === null)
  return (
    <OptionalSelect<string>
      label={t('stage')}
      isLabelHidden
      className="max-w-44 max-md:hidden"
      none={t('noStage')}
      options={shown.map((stage) => ({
        value: stage.id,
        label: `${placeInPlan(stages, stage.id).number} ${stageName(stage)}`,
      }))}
      value={shown.some(({ id }) => id === value) ? value : null}
      onChange={onChange}
    />
  )
}

/** “Ben is writing …” above a composer; the line keeps its height while it is empty. */
export function WritingLine({ place }: { place: string }) {
  return (
    <div className="flex h-5 shrink-0 items-center px-5 max-md:px-4 [&>span]:ml-0">
      <Drafters request={place} />
    </div>
  )
}
