/**
 * The accessible name of a line: "think, step of Coder, Failed, 3.2 seconds".
 *
 * Running times are in minutes, so that a name does not change each second.
 */
import { useLocale, useTranslations } from 'use-intl'
import { useKindName } from '@/components/ui/marks/Avatar'
import { joinList, joinParts, speakElapsed } from '@/lib/format'
import type { Who } from '@/lib/wire'
import { isEarlier } from './model/earlier'
import type { TreeNode } from './model/treeModel'

/** The words on the line itself. */
export function useNodeTitle(): (node: TreeNode) => string {
  const t = useTranslations('tree')
  return (node) => {
    switch (node.kind) {
      case 'stage':
        return node.number === undefined ? t('noStage') : t('stage', { number: String(node.number), goal: node.name })
      case 'older':
        return t(isEarlier(node) ? 'earlier' : 'later', { count: node.counts.steps })
      case 'step':
        return node.attempt > 1 ? t('try', { name: node.name, number: String(node.attempt) }) : node.name
      case 'agent':
      case 'task':
        return node.name
    }
  }
}

/** "Ana", or "2 people": whom a wait is on. */
export function useOnWords(): (on: readonly Who[]) => string {
  const t = useTranslations('tree')
  return (on) => (on.length === 1 ? (on[0]?.name ?? '') : t('onCount', { count: on.length }))
}

export function useRowName(): (node: TreeNode, now: number, silent?: number | null) => string {
  const t = useTranslations()
  const locale = useLocale()
  const titleOf = useNodeTitle()
  const kindName = useKindName()

  const lengthOf = (node: TreeNode, now: number): string | null => {
    const since = node.waitingSince ?? (node.endedAt === null ? node.startedAt : null)
    if (since !== null) return now - since < 60_000 ? null : speakElapsed(now - since, locale)
    if (node.startedAt === null || node.endedAt === null) return null
    const ms = node.endedAt - node.startedAt
    if (ms < 1_000) return t('tree.milliseconds', { count: String(ms) })
    return ms < 10_000 ? t('tree.seconds', { seconds: (ms / 1_000).toFixed(1) }) : speakElapsed(ms, locale)
  }
  const whatOf = (node: TreeNode): string => {
    switch (node.kind) {
      case 'agent':
        return node.who ? kindName(node.who) : node.name
      case 'step':
        return t('tree.stepOf', {
          step: node.stepType === 'tool' ? t('tree.tool', { name: node.executor ?? '' }) : (node.executor ?? ''),
          who: node.who?.name ?? '',
        })
      case 'task':
        return t('tree.taskNamed', { name: node.name })
      case 'stage':
      case 'older':
        return titleOf(node)
    }
  }
  return (node, now, silent = null) => {
    if (node.kind === 'older') return titleOf(node)
    const state =
      node.chip === 'waiting' && node.waitsFor.length > 0
        ? t('tree.waitingOn', {
            who: joinList(
              node.waitsFor.map((who) => who.name),
              locale,
            ),
          })
        : t(`state.${node.chip}`)
    const parts = [
      whatOf(node),
      state,
      silent === null ? lengthOf(node, now) : t('state.noSign', { time: speakElapsed(now - silent, locale) }),
      node.kind !== 'step' && node.kind !== 'agent' && node.counts.waiting > 0
        ? t('tree.waitingCount', { count: node.counts.waiting })
        : null,
      node.kind !== 'step' && node.counts.failed > 0 ? t('tree.failedCount', { count: node.counts.failed }) : null,
      node.kind === 'step' ? titleOf(node) : null,
      node.byHand ? t('tree.byHand') : null,
    ]
    return joinParts(
      parts.flatMap((part) => part || []),
      locale,
    )
  }
}
