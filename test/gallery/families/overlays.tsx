/** Overlays: one at a time, named in the address. */
import { useEffect } from 'react'
import { NO_DRAFT } from '@/client/drafts'
import { setSearch, useSearchParam } from '@/client/nav'
import { Deliveries } from '@/components/chat/message/Deliveries'
import { PeerForm } from '@/components/directory/peers/PeerForm'
import CommandPalette from '@/components/palette/CommandPalette'
import { RequestCardView } from '@/components/request/card/RequestCard'
import { Button } from '@/components/ui/Button'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { AlertDialog, ConfirmDialog, Dialog } from '@/components/ui/overlays/Dialog'
import { Menu } from '@/components/ui/overlays/Menu'
import { showToast } from '@/components/ui/overlays/toast'
import { answering, QUESTIONS } from '../fixtures/requests'
import { bubbleOf, CHAT } from '../fixtures/world'
import { Specimen } from '../Specimen'

export const OVERLAYS = ['dialog', 'confirm', 'urgent', 'palette', 'peer', 'toast'] as const
type OverlayName = (typeof OVERLAYS)[number]

const close = (): void => setSearch({ open: null }, { replace: true })

/** An error: the only kind of toast that stays. */
function Refused() {
  useEffect(() => {
    // Joins the toasts, which stand outside of the page.
    showToast('error', 'Lee is not in this task.', { actions: [{ label: 'Open', onPress: close }] })
  }, [])
  return null
}

function Overlay({ name }: { name: OverlayName }) {
  switch (name) {
    case 'dialog':
      return (
        <Dialog isOpen onOpenChange={close} title="Ask Coder back" foot={<Button look="primary">Send question</Button>}>
          The request stays open.
        </Dialog>
      )
    case 'confirm':
      return (
        <ConfirmDialog
          isOpen
          onOpenChange={close}
          title="Release this wait?"
          action="Release"
          reasonLabel="Reason (everyone in the task sees it)"
          isReasonNeeded
          draft={NO_DRAFT}
          failure="Ben released it 4 s before you."
          onConfirm={close}
        >
          Tester continues without an answer.
        </ConfirmDialog>
      )
    case 'urgent':
      return (
        <AlertDialog
          isOpen
          isUrgent
          onOpenChange={close}
          title="Urgent from Coder"
          head={<TypeBadge type="urgent" isOpen />}
          foot={<Button onClick={close}>Later</Button>}
        >
          <RequestCardView
            shown={QUESTIONS['open, with choices']}
            place="dialog"
            isMine
            isInactive
            answering={answering()}
          />
        </AlertDialog>
      )
    case 'palette':
      return <CommandPalette typed={{ current: '' }} onClose={close} />
    case 'peer':
      return <PeerForm peer={null} onAdded={close} onClose={close} />
    case 'toast':
      return <Refused />
  }
}

export default function Overlays() {
  const asked = useSearchParam('open')
  const open = OVERLAYS.find((name) => name === asked)
  return (
    <div className="col-span-full flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        {OVERLAYS.map((name) => (
          <Button key={name} onClick={() => setSearch({ open: name }, { replace: true })}>
            {name}
          </Button>
        ))}
        <Menu
          label="Menu"
          trigger={<Button>menu</Button>}
          entries={[
            { label: 'Ask back', onSelect: close },
            { label: 'Take it', isDisabled: true, reason: 'You have it', onSelect: close },
            { kind: 'line' },
            { label: 'Release', isDanger: true, onSelect: close },
          ]}
        />
      </div>
      <Specimen name="Deliveries · read by, done, acknowledged">
        {['fyi-mine', 'action-mine', 'urgent-mine'].map((message) => (
          <Deliveries key={message} bubble={bubbleOf(message)} task={CHAT} />
        ))}
      </Specimen>
      {open ? <Overlay name={open} /> : null}
    </div>
  )
}
