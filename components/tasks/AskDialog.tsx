/** The dialog “Ask for new work”. */
import { Send } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { navigate, pathTo } from '@/client/nav'
import { Button } from '@/components/ui/Button'
import { Dialog } from '@/components/ui/Dialog'
import { isSubmit } from '@/components/ui/keyboard'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { useServerAway } from '@/components/ui/serverAway'
import { TextArea } from '@/components/ui/TextField'
import { showToast } from '@/components/ui/toast'
import { FileDrop } from './FileDrop'
import { type NewWork, useNewWork } from './newWork'
import { WorkspaceList } from './WorkspaceList'
import { insertPath } from './workFiles'

export type AskDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The member whose draft it is. */
  me: string
  /** The base task; null while it is unknown. */
  baseTask: string | null
}

export function AskDialog({ isOpen, onOpenChange, me, baseTask }: AskDialogProps) {
  const t = useTranslations()
  const work = useNewWork(me)
  const isAway = useServerAway() !== null
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isEmpty = work.text.text.trim() === ''
  const ask = async (): Promise<void> => {
    if (isEmpty || isAsking || isAway) return
    setAsking(true)
    setProblem(null)
    const answer = await work.ask()
    setAsking(false)
    if (!answer.ok) {
      const { error, message } = answer.fault
      setProblem(error === 'NO_ANSWER' ? t('error.server') : t('error.refused', { reason: message }))
      return
    }
    onOpenChange(false)
    const open = {
      label: t('tasks.openChat'),
      onPress: () => baseTask && navigate(pathTo('task', { taskId: baseTask })),
    }
    showToast('done', t('tasks.asked', { count: answer.value.saved.length }), { actions: baseTask ? [open] : [] })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={t('tasks.ask')}
      className="md:w-[40rem]!"
      foot={
        <>
          <ServerButton
            look="primary"
            icon={<Send aria-hidden />}
            isDisabled={isEmpty || isAsking}
            reason={isAsking ? t('tasks.asking') : t('tasks.writeFirst')}
            onClick={() => void ask()}
          >
            {t('tasks.askButton')}
          </ServerButton>
          <Button look="quiet" onClick={() => onOpenChange(false)}>
            {t('common.close')}
          </Button>
          <span className="min-w-0 text-meta text-t3">{isAsking ? t('tasks.asking') : t('tasks.draftKept')}</span>
        </>
      }
    >
      <WorkFields work={work} problem={problem} onType={() => setProblem(null)} onSubmit={() => void ask()} />
    </Dialog>
  )
}

function WorkFields({
  work,
  problem,
  onType,
  onSubmit,
}: {
  work: NewWork
  problem: string | null
  onType: () => void
  onSubmit: () => void
}) {
  const t = useTranslations()
  const box = useRef<HTMLTextAreaElement>(null)
  const cursor = useRef<number | null>(null)
  const pick = (path: string): void => {
    const put = insertPath(work.text.text, path, cursor.current ?? work.text.text.length)
    work.text.setText(put.text)
    cursor.current = put.cursor
    // After React wrote the new text.
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(put.cursor, put.cursor)
    })
  }
  return (
    <div className="flex flex-col gap-4">
      <TextArea
        ref={box}
        label={t('tasks.wish')}
        hint={t('tasks.wishHint')}
        error={problem}
        value={work.text.text}
        minLines={3}
        maxLines={8}
        onChange={(event) => {
          onType()
          work.text.setText(event.target.value)
        }}
        onSelect={(event) => {
          cursor.current = event.currentTarget.selectionStart
        }}
        onKeyDown={(event) => {
          if (!isSubmit(event, 'mod-enter')) return
          event.preventDefault()
          onSubmit()
        }}
      />
      <OtherDraft draft={work.text} />
      <div>
        <h3 className="mb-1 text-table font-medium">{t('tasks.workspace')}</h3>
        <WorkspaceList onPick={pick} />
      </div>
      <TextArea
        label={t('tasks.pasted')}
        hint={t('tasks.pastedHint')}
        value={work.pasted.text}
        minLines={2}
        maxLines={8}
        className="font-mono text-table!"
        onChange={(event) => work.pasted.setText(event.target.value)}
      />
      <OtherDraft draft={work.pasted} />
      <div>
        <h3 className="mb-1 text-table font-medium">{t('tasks.files')}</h3>
        <FileDrop files={work.files} onChange={work.setFiles} />
      </div>
    </div>
  )
}
