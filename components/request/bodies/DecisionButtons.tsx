/** The buttons of an approval: what is proposed is approved, approved with changes, or not. Approving is filled, but has neither the focus nor Enter. */
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'

/** look: as it is proposed; edit: it is being changed; refuse: the reason is being written */
export type DecisionMode = 'look' | 'edit' | 'refuse'

type DecisionButtonsProps = {
  mode: DecisionMode
  go: (mode: DecisionMode) => void
  approve: () => void
  approveEdited: () => void
  refuse: () => void
  words: Readonly<Record<'approve' | 'edit' | 'approveChanged' | 'refuse', string>>
  /** Of sending the refusal. */
  refuseLook?: 'primary' | 'danger'
  isSending: boolean
  /** What would be approved can be read. */
  isReady?: boolean
}

export function DecisionButtons(props: DecisionButtonsProps) {
  const { mode, go, approve, approveEdited, refuse, words, refuseLook = 'danger', isSending, isReady = true } = props
  const t = useTranslations()
  const isOff = isSending || !isReady
  const sendingOr = (word: string): string => (isSending ? t('request.sending') : word)
  const back = (
    <Button look="quiet" onClick={() => go('look')}>
      {t('common.back')}
    </Button>
  )
  switch (mode) {
    case 'look':
      return (
        <>
          <Button isDisabled={isSending} onClick={() => go('refuse')} data-act="reply">
            {words.refuse}
          </Button>
          <Button isDisabled={isOff} onClick={() => go('edit')}>
            {words.edit}
          </Button>
          <ServerButton look="primary" isDisabled={isOff} onClick={approve} data-act="approve">
            {sendingOr(words.approve)}
          </ServerButton>
        </>
      )
    case 'edit':
      return (
        <>
          <ServerButton look="primary" isDisabled={isOff} onClick={approveEdited}>
            {sendingOr(words.approveChanged)}
          </ServerButton>
          {back}
        </>
      )
    case 'refuse':
      return (
        <>
          <ServerButton look={refuseLook} isDisabled={isSending} onClick={refuse}>
            {sendingOr(words.refuse)}
          </ServerButton>
          {back}
        </>
      )
  }
}
