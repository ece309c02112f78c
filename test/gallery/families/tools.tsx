/** Tools by hand: the servers and their tools, a form with errors, results of calls. */

import type { ListedToolServer } from '@/client/queries/useToolServers'
import { SchemaForm } from '@/components/form/SchemaForm'
import { fieldsOf } from '@/components/form/schemaFields'
import { RunResult } from '@/components/tools/RunResult'
import { ServerStateChip, ToolLines } from '@/components/tools/ToolLines'
import type { ToolOffer } from '@/lib/wire'
import { ANA } from '../fixtures/people'
import { idOf, type StepName } from '../fixtures/steps'
import { Specimen, SpecimenRow } from '../Specimen'

const STATES: readonly ListedToolServer['state'][] = ['idle', 'connecting', 'connected', 'failed', 'needs_sign_in']
const RESULTS: readonly StepName[] = ['tool', 'toolFailed']
const nothing = (): void => {}

const FIELDS = fieldsOf({
  type: 'object',
  required: ['sql', 'limit'],
  properties: {
    sql: { type: 'string', description: 'One SELECT statement' },
    limit: { type: 'integer', description: 'Rows at most' },
    format: { enum: ['table', 'json'], default: 'table' },
    withHead: { type: 'boolean', title: 'With a head row' },
  },
})

const offer = (name: string, description: string, change: Partial<ToolOffer> = {}): ToolOffer => ({
  name,
  title: null,
  description,
  schema: {},
  reads: true,
  asks: false,
  ...change,
})

const SERVERS: readonly ListedToolServer[] = [
  {
    name: 'db',
    guide: 'A small database of a shop.',
    state: 'connected',
    error: null,
    fault: null,
    unread: ['tools[3] (paint).title is a number, which cannot be used there'],
    offers: [
      offer('query', 'Run one SELECT and give back its rows.'),
      offer('write', 'Change rows.', { reads: false, asks: true }),
      offer('count', 'Count what is there.', { reads: false }),
    ],
  },
  { name: 'mail', guide: '', state: 'failed', error: 'connect ECONNREFUSED', fault: null, unread: [], offers: [] },
]

export default function ToolsFamily() {
  return (
    <>
      <Specimen name="ServerState" isWide>
        <SpecimenRow>
          {STATES.map((state) => (
            <ServerStateChip key={state} state={state} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen name="ToolLines">
        <ToolLines servers={SERVERS} />
      </Specimen>
      <Specimen name="ToolLines · names only">
        <div className="w-72">
          <ToolLines servers={SERVERS} current="db/query" isShort />
        </div>
      </Specimen>
      <Specimen name="SchemaForm · what is missing is said">
        <SchemaForm
          fields={FIELDS ?? []}
          typed={{ limit: 'many' }}
          troubles={{ sql: 'needed', limit: 'number' }}
          onChange={nothing}
        />
      </Specimen>
      {RESULTS.map((step) => (
        <Specimen key={step} name={`RunResult · ${step}`}>
          <RunResult step={idOf(step)} me={ANA.id} />
        </Specimen>
      ))}
    </>
  )
}
