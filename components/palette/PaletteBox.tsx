/** The box of the palette while its file is loading: what is typed here is in it when it comes. */
import { useLayoutEffect, useState } from 'react'
import { useTranslations } from 'use-intl'

export type PaletteProps = {
  /** What was typed while the file was loading. */
  typed: { current: string }
  onClose: () => void
}

export function PaletteBox({ typed, onClose }: PaletteProps) {
  const t = useTranslations('palette')
  const [opener] = useState(() => document.activeElement)
  // Joins the browser's focus: the palette takes it from its opener, and gives it back to that.
  useLayoutEffect(() => () => void (opener instanceof HTMLElement && opener.focus()), [opener])
  return (
    <div
      role="dialog"
      aria-label={t('title')}
      aria-busy="true"
      className="fixed top-[12dvh] left-1/2 z-dialog flex w-[38rem] max-w-[calc(100vw-1rem)] -translate-x-1/2 rounded-dialog border border-line bg-s2 shadow-overlay max-md:top-2"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: a dialog that opens takes the focus.
        autoFocus
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={200}
        className="h-12 grow bg-transparent px-4 text-question outline-none placeholder:text-t3"
        onChange={(event) => {
          typed.current = event.target.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
    </div>
  )
}
