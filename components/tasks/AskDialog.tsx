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
import { useNewWork } from './newWork'
import { WorkspaceList } from './WorkspaceList'
import { insertPath } from './workFiles'

export type AskDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Whose draft it is. */
  me: string
  /** Where the wish appears; null while it is not known. */
  baseTask: string | null
}

export function AskDialog({ isOpen, onOpenChange, me, baseTask }: AskDialogProps) {
  const t = useTranslations()
  const wish = useNewWork(me)
  const isAway = useServerAway() !== null
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const cursor = useRef<number | null>(null)

  const isEmpty = wish.text.text.trim() === ''
  const ask = async (): Promise<void> => {
    if (isEmpty || isAsking || isAway) return
    setAsking(true)
    setProblem(null)
    const answer = await wish.ask()
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
  const pick = (path: string): void => {
    const put = insertPath(wish.text.text, path, cursor.current ?? wish.text.text.length)
    wish.text.setText(put.text)
    cursor.current = put.cursor
    // After React wrote the new text.
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(put.cursor, put.cursor)
    })
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
      <div className="flex flex-col gap-4">
        <TextArea
          ref={box}
          label={t('tasks.wish')}
          hint={t('tasks.wishHint')}
          error={problem}
          value={wish.text.text}
          minLines={3}
          maxLines={8}
          onChange={(event) => {
            setProblem(null)
            wish.text.setText(event.target.value)
          }}
          onSelect={(event) => {
            cursor.current = event.currentTarget.selectionStart
          }}
          onKeyDown={(event) => {
            if (!isSubmit(event, 'mod-enter')) return
            event.preventDefault()
            void ask()
          }}
        />
        <OtherDraft draft={wish.text} />
        <div>
          <h3 className="mb-1 text-table font-medium">{t('tasks.workspace')}</h3>
          <WorkspaceList onPick={pick} />
        </div>
        <TextArea
          label={t('tasks.pasted')}
          hint={t('tasks.pastedHint')}
          value={wish.pasted.text}
          minLines={2}
          maxLines={8}
          className="font-mono text-table!"
          onChange={(event) => wish.pasted.setText(event.target.value)}
        />
        <OtherDraft draft={wish.pasted} />
        <div>
          <h3 className="mb-1 text-table font-medium">{t('tasks.files')}</h3>
          <FileDrop files={wish.files} onChange={wish.setFiles} />
        </div>
      </div>
    </Dialog>
  )
}
