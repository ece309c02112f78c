/** One sample of what each tag holds, and of each instruction to a runtime. */
import type { AnswerTag } from '../lib/mas/formats/escape'
import type { TagValues } from '../lib/mas/formats/schemas'
import { asId, type StageId } from '../lib/mas/ids'
import type { Instruction } from '../lib/mas/records'

const TASK = '7d0f9d3c-41a5-4c0b-9a34-2f1f5a0c8a11'
const STAGE = 'b3a7c6de-9c1e-4b52-8f0e-66d1b9a2f402'
const READER = '0c5f8a52-6a0d-4a87-9d0b-0d5a4f2f8b03'
const ANA = 'f6b4e1aa-1b0f-4a3c-8d29-c7a1e4f3d904'

export const TAG_SAMPLES: { [Tag in AnswerTag]: TagValues[Tag] } = {
  planned_step: [
    {
      step_intention: 'read the lists',
      type: 'tool',
      executor: 'files',
      text_content: 'Read every file in prices/ whole.',
    },
    { step_intention: 'check my part', type: 'skill', executor: 'reflection', text_content: 'Are all lists read?' },
  ],
  reflection_step: [
    {
      step_intention: 'end my part',
      type: 'skill',
      executor: 'summary',
      text_content: 'Both lists read, result sent.',
    },
  ],
  decision_step: [
    { step_intention: 'who can help', type: 'skill', executor: 'ask_info', text_content: 'Ask for agents_in_mas.' },
  ],
  summary: 'Goal reached. Both lists are read; the findings went to Analyst.',
  tool_instruction: [
    { instruction_type: 'function_call', tool_name: 'read_text_file', arguments: { path: 'prices/north.csv' } },
  ],
  think: 'apple costs 3.20 (north.csv line 4) and 3.50 (south.csv line 7).',
  result: 'apple costs 3.20 (north.csv line 4).',
  quick_think: 'Two lists disagree on one item.',
  get_more_info: { step_intention: 'find who can translate', text_content: 'Who in the system speaks French?' },
  send_message: {
    receiver: [ANA],
    message: 'apple: 3.20 in north.csv line 4, 3.50 in south.csv line 7. Which one holds?',
    stage_relative: STAGE,
    need_reply: true,
    waiting: true,
    choices: ['3.20', '3.50', 'leave it out'],
    due_minutes: 90,
  },
  process_message: 'Ana decided that the north list holds.',
  react_action: { step_intention: 'judge stage 1', text_content: `All parts of stage ${STAGE} are over: judge it.` },
  task_instruction: {
    action: 'add_stage',
    task_id: TASK,
    stages: [
      {
        stage_name: 'Read lists',
        stage_intention: 'Read the lists',
        agent_allocation: { [READER]: 'Read both lists in prices/.', [ANA]: 'Write what Reader found.' },
        needs: { [ANA]: [READER] },
      },
    ],
  },
  agent_instruction: { action: 'add_task_participant', task_id: TASK, agents: [READER] },
  ask_info: { type: 'agents_in_task', task_id: TASK },
  tool_decision: { continue: false, result: 'Both files are read.' },
  skip: 'Ana has answered already.',
  persistent_memory: [{ add: '### Prices\nThe north list holds.' }, { delete: '20261121T102109' }],
}

const stage = asId<StageId>(STAGE)

export const INSTRUCTION_SAMPLES: { [Type in Instruction['type']]: Extract<Instruction, { type: Type }> } = {
  start_stage: { type: 'start_stage', stage },
  finish_stage: { type: 'finish_stage', stage, failed: false },
  finish_task: { type: 'finish_task' },
  update_working_memory: { type: 'update_working_memory', stage },
  judge_stage: { type: 'judge_stage', stage },
  judge_task: { type: 'judge_task' },
}
