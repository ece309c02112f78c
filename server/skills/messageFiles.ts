/** Files that an agent sends along with its message: it names their paths, the runtime reads them. */
import type { StepOutcome } from '@/lib/mas/outcome'
import { sayNames } from '@/lib/mas/said'
import { sayInLanguage } from '@/lib/mas/words'
import type { SkillRun } from './port'

/** The outcome with the files of its message; its text names those that cannot be sent. Other outcomes as they are. */
export async function withFiles(outcome: StepOutcome, run: SkillRun): Promise<StepOutcome> {
  const sent = outcome.sync.send_message
  const paths = sent?.files ?? []
  if (sent === undefined || paths.length === 0) return outcome
  const { files: attachments, left } = (await run.filesAt?.(paths)) ?? { files: [], left: paths }
  const { language } = run.world.team
  const names = sayNames(language, left)
  const message =
    left.length === 0 ? sent.message : `${sent.message}\n\n${sayInLanguage(language, 'filesUnsent', { names })}`
  return { ...outcome, sync: { ...outcome.sync, send_message: { ...sent, message, attachments } } }
}
