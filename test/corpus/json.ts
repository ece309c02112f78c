/** Answers whose JSON is not strict. */

import type { CorpusEntry } from './entry'

const STEP = { step_intention: 'draft', type: 'skill', executor: 'think', text_content: 'Draft it.' }
const message = (text: string) => ({
  receiver: ['a1'],
  message: text,
  stage_relative: 's1',
  need_reply: false,
  waiting: false,
})
/** The same message, its text as it stands between the quotes. */
const sent = (text: string): string =>
  `<send_message>{"receiver": ["a1"], "message": "${text}", "stage_relative": "s1", "need_reply": false, "waiting": false}</send_message>`

export const JSON_FAULTS: readonly CorpusEntry[] = [
  {
    fault: 'trailing comma in a list',
    skill: 'planning',
    text: `<planned_step>[${JSON.stringify(STEP)},]</planned_step>`,
    gives: [STEP],
    fixups: ['json_commas'],
  },
  {
    fault: 'trailing comma in an object',
    skill: 'ask_info',
    text: '<ask_info>{"type": "task", "task_id": "t1",}</ask_info>',
    gives: { type: 'task', task_id: 't1' },
    fixups: ['json_commas'],
  },
  {
    fault: 'comma missing between two objects',
    skill: 'planning',
    text: `<planned_step>[${JSON.stringify(STEP)} ${JSON.stringify(STEP)}]</planned_step>`,
    gives: [STEP, STEP],
    fixups: ['json_commas'],
  },
  {
    fault: 'comma missing at the end of a line',
    skill: 'tool_decision',
    text: '<tool_decision>{\n  "continue": false\n  "result": "Read."\n}</tool_decision>',
    gives: { continue: false, result: 'Read.' },
    fixups: ['json_commas'],
  },
  {
    fault: 'comma missing on the same line',
    skill: 'tool_decision',
    text: '<tool_decision>{"continue": false "result": "Read."}</tool_decision>',
    refuses: '<tool_decision> does not hold strict JSON: a comma or } is missing (at "\\"result\\": \\"Read.\\"}")',
  },
  {
    fault: 'two commas',
    skill: 'ask_info',
    text: '<ask_info>{"type": "task",, "task_id": "t1"}</ask_info>',
    refuses: '<ask_info> does not hold strict JSON: a key is missing (at ", \\"task_id\\": \\"t1\\"}")',
  },
  {
    fault: 'comments at the end of lines',
    skill: 'send_message',
    text: '<send_message>{\n  "receiver": ["a1"],  // the analyst\n  "message": "Done.",  # short\n  "stage_relative": "s1",\n  "need_reply": false, /* no\n   answer */\n  "waiting": false\n}</send_message>',
    gives: message('Done.'),
    fixups: ['json_comments'],
  },
  {
    fault: 'an address that looks like a comment',
    skill: 'send_message',
    text: sent('See https://example.org/a#b for it.'),
    gives: message('See https://example.org/a#b for it.'),
  },
  {
    fault: 'a comment that is not closed',
    skill: 'ask_info',
    text: '<ask_info>{"type": "my_tasks" /* all of them }</ask_info>',
    refuses: '<ask_info> does not hold strict JSON: a comment is not closed (at "/* all of them }")',
  },
  {
    fault: 'single quotes',
    skill: 'ask_info',
    text: "<ask_info>{'type': 'stage', 'stage_id': 's1'}</ask_info>",
    gives: { type: 'stage', stage_id: 's1' },
    fixups: ['json_quotes'],
  },
  {
    fault: 'single quotes and an apostrophe',
    skill: 'tool_decision',
    text: "<tool_decision>{'continue': False, 'result': 'It's read; Bo's list isn't there.'}</tool_decision>",
    gives: { continue: false, result: "It's read; Bo's list isn't there." },
    fixups: ['json_quotes', 'json_literals'],
  },
  {
    fault: 'typographic quotes',
    skill: 'ask_info',
    text: '<ask_info>{“type”: “agents_in_stage”, “stage_id”: “s1”}</ask_info>',
    gives: { type: 'agents_in_stage', stage_id: 's1' },
    fixups: ['json_quotes'],
  },
  {
    fault: 'typographic quotes, the same mark at both ends',
    skill: 'ask_info',
    text: '<ask_info>{”type”: ”my_tasks”}</ask_info>',
    gives: { type: 'my_tasks' },
    fixups: ['json_quotes'],
  },
  {
    fault: 'typographic quotes inside a text',
    skill: 'send_message',
    text: sent('He said “yes”.'),
    gives: message('He said “yes”.'),
  },
  {
    fault: 'full-width punctuation',
    skill: 'ask_info',
    text: '<ask_info>｛"type"："agents_in_task"，"task_id"："t1"｝</ask_info>',
    gives: { type: 'agents_in_task', task_id: 't1' },
    fixups: ['json_punctuation'],
  },
  {
    fault: 'full-width comma inside a text',
    skill: 'send_message',
    text: sent('苹果：3.20，梨：2.10。'),
    gives: message('苹果：3.20，梨：2.10。'),
  },
  {
    fault: 'full-width quotes',
    skill: 'quick_think',
    text: '<quick_think>＂两份清单不一致。＂</quick_think>',
    gives: '＂两份清单不一致。＂',
  },
  {
    fault: 'line breaks in a string',
    skill: 'send_message',
    text: sent('apple: 3.20\npear: 2.10'),
    gives: message('apple: 3.20\npear: 2.10'),
    fixups: ['json_newlines'],
  },
  {
    fault: 'tab in a string',
    skill: 'send_message',
    text: sent('apple\t3.20'),
    gives: message('apple\t3.20'),
    fixups: ['json_newlines'],
  },
  {
    fault: 'quotes inside a string',
    skill: 'send_message',
    text: sent('He said "yes" to it.'),
    gives: message('He said "yes" to it.'),
    fixups: ['json_inner_quotes'],
  },
  {
    fault: 'quotes inside a Chinese string',
    skill: 'send_message',
    text: sent('请以"北区"清单为准。'),
    gives: message('请以"北区"清单为准。'),
    fixups: ['json_inner_quotes'],
  },
  {
    fault: 'a quote inside a string, before a comma',
    skill: 'send_message',
    text: sent('He said "yes", then left.'),
    refuses:
      '<send_message> does not hold strict JSON: a quote inside a string is not escaped: "\\"He said \\"yes\\", then left.\\", \\"stage_rela"',
  },
  {
    fault: 'one quote inside a string',
    skill: 'send_message',
    text: sent('A 5" pipe.'),
    refuses:
      '<send_message> does not hold strict JSON: a quote inside a string is not escaped: "\\"A 5\\" pipe.\\", \\"stage_relative\\": \\"s1\\", \\"n"',
  },
  {
    fault: 'escaped single quote',
    skill: 'send_message',
    text: sent("Bo\\'s list."),
    gives: message("Bo's list."),
    fixups: ['json_escapes'],
  },
  {
    fault: 'path with backslashes',
    skill: 'send_message',
    text: sent('It is in C:\\prices\\north.csv.'),
    refuses:
      '<send_message> does not hold strict JSON: \\p is no escape of JSON; a backslash is written \\\\ (at "\\\\prices\\\\north.csv.\\",")',
  },
  {
    fault: 'words of Python',
    skill: 'send_message',
    text: '<send_message>{"receiver": ["a1"], "message": "Done.", "stage_relative": "s1", "need_reply": False, "waiting": False, "choices": None}</send_message>',
    gives: message('Done.'),
    fixups: ['json_literals', 'value_type'],
  },
  {
    fault: 'three quotes',
    skill: 'tool_decision',
    text: '<tool_decision>{"continue": false, "result": """Both files\nare read."""}</tool_decision>',
    gives: { continue: false, result: 'Both files\nare read.' },
    fixups: ['json_quotes'],
  },
  {
    fault: 'keys without quotes',
    skill: 'ask_info',
    text: '<ask_info>{type: "task", task_id: "t1"}</ask_info>',
    gives: { type: 'task', task_id: 't1' },
    fixups: ['json_keys'],
  },
  {
    fault: 'value without quotes',
    skill: 'ask_info',
    text: '<ask_info>{"type": my_tasks}</ask_info>',
    refuses: '<ask_info> does not hold strict JSON: the text my_tasks stands without quotes (at "}")',
  },
  {
    fault: 'placeholder',
    skill: 'ask_info',
    text: '<ask_info>{"type": "task", "task_id": ...}</ask_info>',
    refuses: '<ask_info> does not hold strict JSON: "." cannot begin a value (at "...}")',
  },
  {
    fault: 'bracket missing at the end',
    skill: 'planning',
    text: `<planned_step>[${JSON.stringify(STEP)}</planned_step>`,
    refuses: '<planned_step> does not hold strict JSON: it breaks off',
  },
  {
    fault: 'cut off in a string',
    skill: 'send_message',
    text: '<send_message>{"receiver": ["a1"], "message": "apple costs',
    refuses: '<send_message> is opened and never closed',
  },
  {
    fault: 'cut off, and the tag closed',
    skill: 'planning',
    text: '<planned_step>[{"step_intention": "draft", "type": "skill", "executor": "think", "text_con</planned_step>',
    refuses: '<planned_step> does not hold strict JSON: a string is not closed: "\\"text_con"',
  },
  {
    fault: 'a whole step before the one that is cut off',
    skill: 'planning',
    text: `<planned_step>[${JSON.stringify(STEP)}, {"step_intention": "check", "type</planned_step>`,
    refuses: '<planned_step> does not hold strict JSON: a string is not closed: "\\"type"',
  },
  {
    fault: 'the same key twice',
    skill: 'tool_decision',
    text: "<tool_decision>{'continue': false, 'result': 'a', 'result': 'b'}</tool_decision>",
    refuses: '<tool_decision> does not hold strict JSON: the key result stands twice with different values (at "}")',
  },
  {
    fault: 'prose before the JSON',
    skill: 'planning',
    text: `<planned_step>\nI read [1] first.\n[${JSON.stringify(STEP)}]\n</planned_step>`,
    gives: [STEP],
    fixups: ['prose_inside'],
  },
  {
    fault: 'prose behind the JSON',
    skill: 'instruction_generation',
    text: '<tool_instruction>{"instruction_type": "get_description"} because no list is shown</tool_instruction>',
    gives: [{ instruction_type: 'get_description' }],
    fixups: ['prose_inside'],
  },
  {
    fault: 'a text instead of JSON',
    skill: 'planning',
    text: '<planned_step>1. Read the lists.\n2. Compare them.</planned_step>',
    refuses: '<planned_step> does not hold strict JSON: "1" cannot begin a value (at "1. Read the lists.\\n2")',
  },
  {
    fault: 'YAML instead of JSON',
    skill: 'ask_info',
    text: '<ask_info>\ntype: task\ntask_id: t1\n</ask_info>',
    refuses: '<ask_info> does not hold strict JSON: the text type stands without quotes (at ": task\\ntask_id: t1")',
  },
  {
    fault: 'the end of its own tag in a string',
    skill: 'send_message',
    text: sent('Close it with </send_message> then.'),
    gives: message('Close it with </send_message> then.'),
  },
  {
    fault: 'its own tag in a string',
    skill: 'send_message',
    text: sent('I write <send_message> here.'),
    gives: message('I write <send_message> here.'),
  },
  {
    fault: 'nothing in it',
    skill: 'planning',
    text: '<planned_step></planned_step>',
    refuses: '<planned_step> does not hold strict JSON: it is empty',
  },
]
