/** The parts of a result of which a change can be asked: each has a button, and what a reader marks in them gets one. */
import { PencilLine } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'

type PassageProps = {
  part: 'headline' | 'facts' | 'summary' | 'leftOut'
  text: string
  /** null: no change can be asked for */
  onAsk: ((passage: string) => void) | null
  className?: string
  children: ReactNode
}

/** The button is drawn while the part is under the pointer, or has the focus. */
export function Passage({ part, text, onAsk, className, children }: PassageProps) {
  const t = useTranslations('result')
  if (onAsk === null) return <div className={className}>{children}</div>
  return (
    <div data-passage className={cx('group/passage relative', className)}>
      {children}
      <IconButton
        icon={<PencilLine />}
        label={t(`changePart.${part}`)}
        className="absolute! top-0 right-0 bg-s2! opacity-0 group-hover/passage:opacity-100 focus-visible:opacity-100 touch:hidden print:hidden"
        onClick={() => onAsk(text)}
      />
    </div>
  )
}

type Marked = { text: string; top: number; left: number }

/** Room for the button at the right edge, in pixels. */
const BUTTON_WIDTH = 220
/** Pixels below what is marked. */
const GAP = 4

/** A button below what is marked in the parts. in: region: the element that is its place, with all parts in it */
export function MarkedPassage({
  region,
  onAsk,
}: {
  region: RefObject<HTMLElement | null>
  onAsk: (text: string) => void
}) {
  const t = useTranslations('result')
  const [marked, setMarked] = useState<Marked | null>(null)
  useEffect(() => {
    // Joins the selection of the browser.
    const look = (): void => setMarked(region.current && markedIn(region.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [region])
  if (marked === null) return null
  return (
    <div className="absolute z-10 print:hidden" style={{ top: marked.top, left: marked.left }}>
      <Button
        icon={<PencilLine />}
        className="shadow-overlay"
        // The selection stays until the press has been handled.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          setMarked(null)
          onAsk(marked.text)
        }}
      >
        {t('changeMarked')}
      </Button>
    </div>
  )
}

/** null: nothing is marked, or something outside of the parts */
function markedIn(region: HTMLElement): Marked | null {
  const selection = window.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const isInPart = (node: Node | null): boolean => {
    const part = (node instanceof Element ? node : node?.parentElement)?.closest('[data-passage]')
    return part !== null && part !== undefined && region.contains(part)
  }
  const text = selection.toString().trim()
  if (text === '' || !isInPart(selection.anchorNode) || !isInPart(selection.focusNode)) return null
  const [place, own] = [selection.getRangeAt(0).getBoundingClientRect(), region.getBoundingClientRect()]
  const left = Math.max(0, Math.min(place.left - own.left, own.width - BUTTON_WIDTH))
  return { text, top: place.bottom - own.top + GAP, left }
}
