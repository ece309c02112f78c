import { ChevronDown, CornerDownRight, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { messageText, questionText } from '@/client/readersWords'
import { Drafters } from '@/components/request/card/Drafters'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { CapsuleRemoveButton, NameCapsule } from '@/components/ui/marks/Avatar'
import { TypeIcon } from '@/components/ui/marks/Badges'
import { Menu } from '@/components/ui/overlays/Menu'
import { firstWords } from '@/lib/format/plainText'
import { asId, type RequestId, type SenderId } from '@/lib/mas/ids'
import { MESSAGE_TYPES } from '@/lib/mas/records'
import { placeInPlan } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import type { TaskWorld } from '../useTaskWorld'
import { stageField } from './composerState'
import type { ComposerModel } from './useComposer'

type ComposerPartProps = { task: TaskWorld; composer: ComposerModel }

/** The receivers: everyone, or the chosen ones. Groups have square capsules. */
export function Capsules({ task, composer: { chosen, choices, remove } }: ComposerPartProps) {
  const t = useTranslations('chat')
  if (chosen.length === 0) return <NameCapsule who={null} />
  return chosen.map((id) => {
    const choice = choices.find((one) => one.id === id)
    const isGroup = /^(group|saved):/.test(id)
    const name = choice?.name ?? (isGroup ? id.slice(id.indexOf(':') + 1) : task.who(id as SenderId).name)
    const removeButton = remove && <CapsuleRemoveButton label={t('remove', { name })} onClick={() => remove(id)} />
    if (choice && !('members' in choice))
      return <NameCapsule key={id} who={task.who(choice.id)} removeButton={removeButton} />
    return (
      <span
        key={id}
        className={cx(
          'inline-flex h-5 items-center gap-1 rounded-control px-1.5 text-meta touch:h-7',
          choice ? 'bg-idle-b font-medium text-t2' : 'border border-dashed border-line-strong text-t3',
        )}
      >
        {/* One that has left the task is shown until it is removed, so that nobody believes it gets the message. */}
        {choice ? `@${name} · ${choice.members.length}` : <s>@{name}</s>}
        {removeButton}
      </span>
    )
  })
}

/** “Answers request 12 from Coder ✕”; a picker when several are open; a warning once it was removed. */
export function AnswerChip({ task, composer: { open, answered, state, change, sayWriting } }: ComposerPartProps) {
  const t = useTranslations('chat')
  const first = open[0]
  if (first === undefined) return null
  const pick = (request: RequestId): void => change({ request, answerOff: false })
  const asker = task.who(first.asker).name
  if (state.answerOff || answered === null) {
    return (
      <span role="status" className="flex items-center gap-1.5 text-meta text-waiting">
        {t('goesOnWaiting', { who: asker })}
        <Button look="quiet" className="h-6!" onClick={() => pick(first.id)}>
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
              onChange: (value) => pick(asId<RequestId>(value)),
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
        onClick={() => {
          sayWriting(false)
          change({ answerOff: true })
        }}
        className="relative shrink-0 after:absolute after:-inset-1.5"
      >
        <X className="size-3.5" />
      </button>
    </span>
  )
}

export function ReplyLine({ task, composer: { state, change } }: ComposerPartProps) {
  const t = useTranslations('chat')
  const original = state.replyTo === null ? undefined : task.messages[state.replyTo]
  if (original === undefined) return null
  return (
    <p className="mx-3 mt-1.5 flex items-center gap-1.5 border-l-2 border-line-strong pl-2 text-meta text-t2">
      <span className="cut grow">
        {t('replyTo', { who: task.who(original.sender).name, text: firstWords(messageText(original), 100) })}
      </span>
      <IconButton icon={<X />} label={t('noReply')} className="size-6!" onClick={() => change({ replyTo: null })} />
    </p>
  )
}

export function TypeMenu({ composer: { state, change } }: ComposerPartProps) {
  const t = useTranslations()
  const word = t(`type.${state.type}`)
  return (
    <Menu
      label={t('chat.typeMenu')}
      align="start"
      trigger={
        <Button look="quiet" icon={<TypeIcon type={state.type} />} aria-label={t('chat.type', { type: word })}>
          <span className="max-md:sr-only">{word}</span>
          <ChevronDown />
        </Button>
      }
      entries={[
        {
          kind: 'choice',
          label: t('chat.typeMenu'),
          value: state.type,
          options: MESSAGE_TYPES.map((one) => ({ value: one, label: t(`type.${one}`), icon: <TypeIcon type={one} /> })),
          onChange: (value) => change({ type: MESSAGE_TYPES.find((one) => one === value) }),
        },
      ]}
    />
  )
}

export function StagePicker({ task: { stages, isBase }, composer: { stage, change } }: ComposerPartProps) {
  const t = useTranslations('chat')
  if (isBase || stages.length === 0) return null
  const shown = stages.filter(({ replacedBy }) => replacedBy === null)
  return (
    <OptionalSelect<string>
      label={t('stage')}
      isLabelHidden
      className="max-w-44 max-md:hidden"
      none={t('noStage')}
      options={shown.map((one) => ({
        value: one.id,
        label: `${placeInPlan(stages, one.id).number} ${stageName(one)}`,
      }))}
      value={shown.some(({ id }) => id === stage) ? stage : null}
      onChange={(next) => change(stageField(next))}
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
