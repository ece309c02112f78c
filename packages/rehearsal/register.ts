/** Adds the built-in model to the program. */
import { register } from '@/server/register'
import { withFaults } from './faults'
import { rehearsalModel } from './rehearsalModel'
import { rehearsalSection } from './section'

/** The rehearsal has no limit of its own; a small context would cut the histories that it counts in. */
const LEAST_CONTEXT_TOKENS = 200_000

register({
  name: 'rehearsal',
  sections: {
    rehearsal: {
      schema: rehearsalSection,
      agentsIn: ({ faults }) =>
        faults.flatMap(({ agent }, index) => (agent === null ? [] : [{ path: ['faults', index, 'agent'], agent }])),
    },
  },
  rehearsal({ name, contextTokens, sleep, sections }) {
    const { delayMs = 0, faults = [] } = sections.rehearsal ?? {}
    const model = rehearsalModel({
      name,
      contextTokens: Math.max(contextTokens ?? 0, LEAST_CONTEXT_TOKENS),
      delayMs,
      sleep,
    })
    return faults.length > 0 ? withFaults(model, faults, sleep) : model
  },
})
