/** One call: the prompt for the model, and the answer that a person writes in its place. */

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call as request, useDraft } from '@/client'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { Scrolled } from '@/components/ui/text/Scrolled'
import type { ByHandCall, PostByHand } from '@/lib/wire'

/** The section with the instruction; only this one is open at first. */
const FIRST = 'current_step'

export function OpenCallForm({ call, onDone }: { call: ByHandCall; onDone: () => void }) {
  const t = useTranslations('byHand')
  const draft = useDraft(`by_hand:${call.id}`)
  const refusal = useDraft(`by_hand:${call.id}.refusal`)
  const [isRefusing, setRefusing] = useState(false)
  const { failure, isSending, forget, send } = useSendAct()
  const answer = async (body: PostByHand): Promise<void> => {
    const path = `/api/by_hand/${encodeURIComponent(call.id)}`
    if (!(await send(JSON.stringify(body), () => request('POST', path, body)))) return
    draft.clear()
    refusal.clear()
    setRefusing(false)
    showToast('done', t('answer' in body ? 'sent' : 'refused'))
    onDone()
  }

  return (
    <form
      aria-label={t('callOf', { agent: call.agent, skill: call.skill })}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void answer({ answer: draft.text })
      }}
    >
      <Prompt parts={call.parts} />
      <DraftArea
        draft={draft}
        label={t('answer')}
        hint={t('answerHint')}
        minLines={6}
        maxLines={24}
        spellCheck={false}
        error={isRefusing ? null : failure}
        className="font-mono"
        onText={(text) => {
          forget()
          draft.setText(text)
        }}
      />
      <div className="flex gap-2">
        <ServerButton
          type="submit"
          look="primary"
          isDisabled={isSending || draft.text.trim() === ''}
          reason={draft.text.trim() === '' ? t('writeFirst') : undefined}
        >
          {t('send')}
        </ServerButton>
        <Button
          onClick={() => {
            forget()
            setRefusing(true)
          }}
        >
          {t('refuse')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isRefusing}
        onOpenChange={setRefusing}
        title={t('refuseTitle')}
        action={t('refuse')}
        reasonLabel={t('reason')}
        isReasonNeeded
        draft={refusal}
        failure={failure}
        onConfirm={(reason) => answer({ refuse: reason })}
      >
        {t('refuseWhy')}
      </ConfirmDialog>
    </form>
  )
}

function Prompt({ parts }: Pick<ByHandCall, 'parts'>) {
  const t = useTranslations('byHand')
  return (
    <div className="flex flex-col border border-line rounded-control">
      {parts.map((part, index) => (
        <details
          // biome-ignore lint/suspicious/noArrayIndexKey: a call's prompt never changes
          key={index}
          open={part.name === FIRST || part.role === 'assistant'}
          className="border-b border-line last:border-b-0"
        >
          <summary className="cursor-pointer px-3 py-1.5 text-table font-medium">
            <code className="font-mono">{part.name}</code>{' '}
            <span className="text-meta text-t3">{t(`role.${part.role}`)}</span>
          </summary>
          <Scrolled
            as="pre"
            className="max-h-96 overflow-auto border-t border-line px-3 py-2 font-mono text-meta break-words whitespace-pre-wrap"
          >
            {part.text}
          </Scrolled>
        </details>
      ))}
    </div>
  )
}
