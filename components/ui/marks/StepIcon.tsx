/** The icon of a step by its skill, the same in tree, inspector and waterfall. */
import {
  Brain,
  FileCheck,
  FilePenLine,
  GitFork,
  ListTodo,
  Lock,
  type LucideIcon,
  MailOpen,
  MessageCircleQuestionMark,
  PenLine,
  ScanSearch,
  Send,
  Split,
  SquareKanban,
  UserPlus,
  Wrench,
  Zap,
} from 'lucide-react'
import { memo } from 'react'
import type { SkillName } from '@/lib/mas/records'

const SKILL_ICONS = {
  planning: ListTodo,
  reflection: ScanSearch,
  summary: FileCheck,
  instruction_generation: FilePenLine,
  think: Brain,
  quick_think: Zap,
  send_message: Send,
  process_message: MailOpen,
  task_manager: SquareKanban,
  agent_manager: UserPlus,
  ask_info: MessageCircleQuestionMark,
  tool_decision: Split,
  decision: GitFork,
} satisfies Record<SkillName, LucideIcon>
/** Besides the skills: a tool's call, a wait, a call that a person ran. */
const ICONS: Record<string, LucideIcon> = { ...SKILL_ICONS, tool: Wrench, wait: Lock, by_hand: PenLine }

/** skill: a skill's name, or tool, wait, by_hand; the name of a tool is drawn as a tool. */
export const StepIcon = memo(function StepIcon({ skill, className }: { skill: string; className?: string }) {
  const Icon = ICONS[skill] ?? Wrench
  return <Icon aria-hidden className={className} />
})
