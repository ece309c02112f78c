/** The file is read, at a start: each of its values is compared with what it said before and with what the page made of it. */
import { selectOperators } from '@/lib/mas/selectors/judge'
import { selectSetup, selectSetupRecord, setupName } from '../../selectors/setup'
import { mergeSetup, type SetupVerdict } from '../../setupMerge'
import type { HumanSetup, SetupEntry, SetupFile, SetupKind, SetupRecord, SetupValues } from '../../setupRecords'
import type { DecisionContext } from '../decisionContext'
import { notice } from '../effects/deliverToPerson'

/** A change of the page that the file overrode. */
type Disagreement = { name: string; verdict: Extract<SetupVerdict, 'overruled' | 'removed'> }

/** out: the notices for operators */
export function readSetup(context: DecisionContext, file: Partial<SetupFile>): Disagreement[] {
  return [
    ...readKind(context, 'team', file.team ?? {}),
    ...readKind(context, 'model', file.model ?? {}),
    ...readKind(context, 'tool', file.tool ?? {}),
    ...readKind(context, 'agent', file.agent ?? {}),
    ...(file.human === undefined ? [] : [...readKind(context, 'human', file.human), ...ensureOperator(context)]),
  ]
}

/** The page made participants of the file's operators, and whom it made one instead the file names no more: the file counts. */
function ensureOperator(context: DecisionContext): Disagreement[] {
  if ([...selectSetup(context.world, 'human').values()].some(({ access }) => access === 'operator')) return []
  const records: SetupRecord<HumanSetup>[] = Object.values(context.world.setup.human)
  const named = records.find(({ file }) => file?.access === 'operator')
  if (!named?.file) return []
  context.emit('setup.read', { entry: { kind: 'human', id: named.id, value: named.file }, verdict: 'overruled' })
  return [{ name: named.file.name, verdict: 'overruled' }]
}

function readKind<Kind extends SetupKind>(
  context: DecisionContext,
  kind: Kind,
  file: Record<string, SetupValues[Kind]>,
): Disagreement[] {
  const ids = new Set([...Object.keys(file), ...Object.keys(context.world.setup[kind])])
  return [...ids].flatMap((id) => {
    const value = Object.hasOwn(file, id) ? (file[id] ?? null) : null
    const known = selectSetupRecord(context.world, kind, id)
    const verdict = mergeSetup(known, value)
    if (verdict === 'same') return []
    const entry = { kind, id, value } as SetupEntry<Kind>
    const name = setupName({ ...entry, value: value ?? known?.file ?? known?.page?.value ?? null } as SetupEntry)
    context.emit('setup.read', { entry: entry as SetupEntry, verdict })
    return verdict === 'file' ? [] : [{ name, verdict }]
  })
}

/** Gives each operator a notice of each, in the base task; without a base task there is no notice. */
export function tellDisagreements(context: DecisionContext, disagreements: readonly Disagreement[]): void {
  const { baseTask } = context.world
  if (baseTask === null) return
  const operators = selectOperators(context.world)
  for (const { name, verdict } of disagreements) {
    const kind = verdict === 'overruled' ? 'setup_overruled' : 'setup_stays_out'
    const about = { task: baseTask, stage: null, message: null }
    for (const operator of operators) notice(context, operator, kind, about, { who: name })
  }
}
