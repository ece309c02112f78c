'use client'
/** A text with hidden or direction-changing characters, as it may be shown. Made with createElement: the JSX runtime uses this file. */
import { createElement, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { textPieces, turnsNeighbours } from '@/lib/format/hiddenSigns'

/** The element of a text that stands beside elements (shownProps.ts). No style and no selector names it. */
export const TEXT_ELEMENT = 'x-text'

type ForeignTextProps = {
  text: string
  /** A name, an address or a value that must be read to the letter. */
  isLiteral?: boolean
  /** Part of a paragraph that has a direction of its own (`dir="auto"`). */
  isInFlow?: boolean
}

/** Hidden characters as boxed codes; text that runs from right to left in an isolate. */
export function ForeignText({ text, isLiteral = false, isInFlow = false }: ForeignTextProps): ReactNode {
  const pieces = textPieces(text, isLiteral)
  const shown = pieces.map((piece, key) =>
    piece.is === 'sign'
      ? createElement(HiddenSign, { key, code: piece.code })
      : createElement(piece.is === 'isolate' ? 'bdi' : TEXT_ELEMENT, { key }, piece.text),
  )
  return isInFlow || !turnsNeighbours(pieces) ? shown : createElement('bdi', null, shown)
}

function HiddenSign({ code }: { code: string }): ReactNode {
  const t = useTranslations('common')
  return createElement('span', { role: 'img', 'aria-label': t('hiddenSign', { code }), className: 'hidden-sign' }, code)
}
