/** A report from five files with a person's decision, in three parts: one is sent back, and the person sees the report before the end. */
import type { PromptCount } from '../countPrompts'
import { type Job, namesFigure, unmet } from '../job'

const REPORT = 'report/q3.md'
const FIGURES = ['3480.00', '3325.46', '2568.80', '9374.26']

const north = `order,date,product,qty,unit_price,discount_pct,returned_qty
N-1041,2026-07-03,kettle,40,24.00,0,0
N-1042,2026-07-19,toaster,25,31.50,5,2
N-1043,2026-08-08,kettle,120,24.00,18,0
N-1044,2026-08-21,lamp,60,15.20,0,6
N-1045,2026-09-02,toaster,30,31.50,10,0
N-1046,2026-09-29,lamp,35,15.20,0,0
`
const south = `order,date,product,qty,unit_price,discount_pct,returned_qty
S-2077,2026-07-11,lamp,80,15.20,0,0
S-2078,2026-07-30,kettle,55,24.00,10,5
S-2079,2026-08-15,toaster,18,31.50,0,0
S-2080,2026-09-10,kettle,64,24.00,0,4
S-2081,2026-10-01,lamp,50,15.20,0,0
S-2082,2026-09-22,toaster,44,31.50,12,0
`
const policy = `# What counts in a quarterly report

1. An order counts in the quarter of its date. Q3 is 1 July to 30 September.
2. Revenue of an order = (qty - returned_qty) x unit_price x (1 - discount_pct / 100), rounded to cents.
3. A discount above 10 % needs an approval on record. Without one the order is listed under "Not counted" with the reason.
   If the files do not say whether it was approved, ask the head of sales (Ana) before the report is written.
4. The report lists revenue by product against target, then the orders not counted, then the sources (file and order).
`
const notes = `# Call of 30 September

- S-2082: 12 % for the hotel chain, approved by Ana on 21 September (mail).
- N-1043: 18 % for the big August kettle order. Bert asked for it; nobody wrote down whether it was approved.
- Lamps: six came back from N-1044, cracked. Refunded in full.
- The autumn price list starts on 1 October.
`

/** What the script of a plain loop needs for it. */
export const PLAIN_LOOP: PromptCount = {
  calls: 18,
  characters: 165_973,
  input: 41_500,
  uncached: 8_801,
  output: 2_114,
}

export const salesReport: Job = {
  id: 'sales-report',
  language: 'en',
  about: 'a report in three parts, one sent back',
  agents: ['Reader', 'Analyst'],
  files: {
    'sales/north.csv': north,
    'sales/south.csv': south,
    'sales/targets.csv': 'product,target_eur\nkettle,6000\ntoaster,3400\nlamp,2600\n',
    'policy/reporting.md': policy,
    'notes/september-call.md': notes,
  },
  request: [
    'Please make the Q3 sales report. The orders are in sales/north.csv and sales/south.csv, the targets in',
    'sales/targets.csv, the rules in policy/reporting.md, and there are notes in notes/. Reader reads and lists the facts,',
    `Analyst writes ${REPORT}, then Reader checks the report against the files. Show me the report before you finish the task.`,
  ].join(' '),
  rules: [
    { asks: /N-1043/, times: 1, text: 'No, not approved' },
    { kind: 'part', text: 'It is good.' },
    { times: 3, text: 'Yes.' },
  ],
  check(end) {
    const report = end.file(REPORT) ?? ''
    const [, notCounted = ''] = report.split('## Not counted')
    const [left = ''] = notCounted.split('\n## ')
    return unmet(
      [end.asked.some(({ question }) => /N-1043/.test(question)), 'nobody asked about N-1043'],
      ...FIGURES.map((figure): [boolean, string] => [namesFigure(report, figure), `${figure} is not in the report`]),
      [/N-1043/.test(left) && /S-2081/.test(left), 'an order that does not count is not listed'],
      [!/S-2082/.test(left), 'S-2082 is not counted although it was approved'],
      [end.asked.some(({ kind }) => kind === 'part'), 'Ana was not shown the report'],
      [end.tasks.some(({ state }) => state === 'finished'), 'no task is finished'],
    )
  },
}
