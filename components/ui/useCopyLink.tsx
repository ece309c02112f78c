import { Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useHrefHere } from '@/client/nav'
import { Button } from './Button'
import { copyText } from './copyText'
import type { MenuEntry } from './overlays/Menu'

/** out: copies an address of the console as a full URL; at a moment, of that moment */
export function useCopyLink(): (href: string) => void {
  const t = useTranslations('common')
  const hrefHere = useHrefHere()
  return (href) => copyText(new URL(hrefHere(href), window.location.href).href, t('copied'))
}

/** out: the entry of a menu that copies the address of what the menu is of */
export function useCopyLinkEntry(): (href: string) => MenuEntry {
  const copy = useCopyLink()
  return (href) => ({ kind: 'action', action: 'copyLink', onSelect: () => copy(href) })
}

export function CopyLinkButton({ href }: { href: string }) {
  const t = useTranslations('common')
  const copy = useCopyLink()
  return (
    <Button look="quiet" icon={<Link2 />} onClick={() => copy(href)}>
      {t('copyLink')}
    </Button>
  )
}
