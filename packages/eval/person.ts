/** The simulated person: answers requests by the rules of a job. */
import type { Decision, RequestRecord } from '@/lib/mas/records'
import type { Rule } from './job'

/** Most requests that the person answers: a model may ask without end. */
export const MOST_REQUESTS = 40

/** Requests about errors of the program or the model are refused: the check reports them. */
const DECISIONS: Record<RequestRecord['kind'], Decision> = {
  answer: 'answer',
  confirm: 'approve',
  part: 'done',
  limit: 'refuse',
  judge: 'refuse',
  tool: 'refuse',
  plan: 'approve',
}

type Reply = { decision: Decision; text: string }
export type JobPerson = { reply(request: Pick<RequestRecord, 'kind' | 'question'>): Reply | null }

/** out: the reply of the first rule that matches and is not used up; a confirmation, a plan or a part without a rule is accepted; null: no reply */
export function openPerson(rules: readonly Rule[]): JobPerson {
  const used = new Map<Rule, number>()
  return {
    reply({ kind, question }) {
      const rule = rules.find(
        (one) =>
          (one.kind ?? 'answer') === kind &&
          (one.asks?.test(question) ?? true) &&
          (used.get(one) ?? 0) < (one.times ?? Number.POSITIVE_INFINITY),
      )
      if (rule === undefined)
        return kind === 'confirm' || kind === 'plan' || kind === 'part'
          ? { decision: DECISIONS[kind], text: 'OK' }
          : null
      used.set(rule, (used.get(rule) ?? 0) + 1)
      return { decision: rule.decision ?? DECISIONS[kind], text: rule.text }
    },
  }
}
