/** A link from a call that was made or requested to its tool's page, with the same arguments. */
import { PenLine } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { pathTo } from '@/client/nav'
import { useToolServers } from '@/client/queries/useToolServers'
import { Button, LinkButton } from '@/components/ui/Button'

type RunByHandLinkProps = {
  server: string
  tool: string
  /** The step or request whose arguments are taken; of a request the original or the edited ones. */
  like: { step: string } | { request: string; isEdited: boolean }
  label: string
}

export function RunByHandLink({ server, tool, like, label }: RunByHandLinkProps) {
  const t = useTranslations('tools')
  const { isLoading, fault, servers } = useToolServers(false)
  const icon = <PenLine />
  if (isLoading || fault !== null) return null
  if (!servers.some(({ name }) => name === server)) {
    return (
      <Button icon={icon} isDisabled reason={t('notYourTool')}>
        {label}
      </Button>
    )
  }
  const from =
    'step' in like
      ? `like=${encodeURIComponent(like.step)}`
      : `request=${encodeURIComponent(like.request)}${like.isEdited ? '&edited' : ''}`
  return (
    <LinkButton href={`${pathTo('tool', { server, tool })}?${from}`}>
      {icon}
      {label}
    </LinkButton>
  )
}
