/** A dialog with the form of an act, its reason, what is missing, and the server's refusal. */
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client/drafts'
import { Button } from '@/components/ui/Button'
import { isComposing } from '@/components/ui/fields/keyboard'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useShown } from '@/components/ui/useShown'
import type { Act } from './acts'
import { useSendAct } from './useSendAct'

const REASON_LENGTH = 1_000

export function FormDialog({
  title,
  children,
  action,
  takesAway = false,
  hasReason: asksReason = true,
  missing,
  act,
  besides = '',
  done,
  extra,
  isWide = false,
  onDone,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  /** The act ends or hands over something: the button is red. */
  takesAway?: boolean
  /** false: the act is recorded with who did it alone. */
  hasReason?: boolean
  /** The missing input, as text; null: none. */
  missing: string | null
  act: Act
  /** What is typed beside the draft of the act: a secret, which no draft keeps, or the text of another draft. */
  besides?: string
  /** The words of the toast; null: none. */
  done: string | null
  /** A button beside the action. */
  extra?: ReactNode
  isWide?: boolean
  /** Before `onClose`, when the act is done. */
  onDone?: () => void
  onClose: () => void
}) {
  const t = useTranslations()
  const draft = useDraft(act.place)
  const reason = draft.text
  const [isTried, setTried] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const { failure, isSending, send } = useSendAct()
  const hasReason = !asksReason || reason.trim() !== ''
  const submit = async (): Promise<void> => {
    setTried(true)
    if (!hasReason) box.current?.focus()
    if (missing !== null || !hasReason || isSending) return
    // Other values are another command, also after an answer that never came.
    const key = JSON.stringify([reason.trim(), draft.more, besides])
    if (!(await send(key, (head) => act(reason.trim(), head)))) return
    draft.clear()
    onDone?.()
    onClose()
    if (done !== null) showToast('done', done)
  }
  const problem = isTried && missing !== null ? missing : failure
  const outcome = useShown<HTMLDivElement>(problem)
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      className={isWide ? 'w-[40rem]!' : undefined}
      foot={
        <>
          <ServerButton look={takesAway ? 'danger' : 'primary'} isDisabled={isSending} onClick={() => void submit()}>
            {action}
          </ServerButton>
          {extra}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one chord for every field in it; each field is reachable by itself. */}
      <div
        className="flex flex-col gap-3"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event) || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {asksReason ? (
          <TextArea
            ref={box}
            label={t('operate.reason')}
            value={reason}
            maxLength={REASON_LENGTH}
            error={isTried && !hasReason ? t('operate.reasonNeeded') : undefined}
            onChange={(event) => draft.setText(event.target.value)}
          />
        ) : null}
        <OtherDraft draft={draft} />
        <div ref={outcome} className="scroll-my-4 empty:hidden">
          <AlertText text={problem} />
        </div>
      </div>
    </Dialog>
  )
}
