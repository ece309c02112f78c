/** What the help page holds, in its order. Its texts are under `help` in the messages. */
import { pathTo } from '@/client/nav'

export const HELP_PARTS = ['start', 'words', 'keys', 'docs'] as const
export type HelpPart = (typeof HELP_PARTS)[number]

export const isHelpPart = (text: unknown): text is HelpPart => HELP_PARTS.some((part) => part === text)

export const FIRST_STEPS = [
  { name: 'demo', href: pathTo('inbox') },
  { name: 'answer', href: pathTo('inbox') },
  { name: 'request', href: `${pathTo('tasks')}?ask=1` },
  { name: 'follow', href: pathTo('tasks') },
  { name: 'model', href: pathTo('settings', { page: 'models' }) },
] as const

export const TERMS = [
  'task',
  'stage',
  'part',
  'step',
  'manager',
  'request',
  'wait',
  'blocked',
  'fyi',
  'action',
  'urgent',
] as const

export const DOCS = [
  { name: 'readme', path: 'README.md' },
  { name: 'configuration', path: 'docs/configuration.md' },
  { name: 'tools', path: 'docs/mcp.md' },
  { name: 'notifications', path: 'docs/reaching-people.md' },
  { name: 'debugging', path: 'docs/debugging.md' },
  { name: 'prompts', path: 'docs/prompts.md' },
  { name: 'peers', path: 'docs/other-systems.md' },
  { name: 'conversations', path: 'docs/harmony.md' },
  { name: 'api', path: 'docs/api.md' },
  { name: 'operate', path: 'docs/operate/README.md' },
] as const
