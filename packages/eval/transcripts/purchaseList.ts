/** A list that needs a person's part first and their approval of one sum, in Chinese. */
import { type Job, unmet } from '../job'

const LIST = '采购/清单.md'
const ROWS = [
  ['打印机', 'P-210', '3', '2,280', '6,840', '恒达'],
  ['椅子', 'C-15', '12', '520', '6,240', '舒坐'],
  ['显示器', 'D-27', '10', '1,150', '11,500', '明视'],
]

const minutes = `# 11 月 24 日采购会

- 打印机：买 3 台，预算每台不超过 2,400 元。
- 椅子：买 12 把，由行政部小组试坐后定型号。
- 投影仪：先不买，等仓库盘点结果。
- 上次定的显示器 8 台改为 10 台。
`
const rules = `# 采购规定

1. 单项总价超过 10,000 元须由 Ana 批准。
2. 清单写明物品、型号、数量、单价、总价、供应商。
3. 型号未定的物品列在“待定”下，不计入总价。
`

export const purchaseList: Job = {
  id: 'purchase-list',
  language: 'zh',
  about: '一个人的部分在前，清单在后',
  files: {
    '会议/11月24日纪要.md': minutes,
    '采购/库存.csv': '物品,数量,状态\n投影仪,2,可用\n显示器,1,损坏\n椅子,0,\n',
    '采购/报价.csv':
      '物品,型号,单价,供应商\n打印机,P-210,2280,恒达\n打印机,P-330,2560,恒达\n椅子,C-12,460,舒坐\n椅子,C-15,520,舒坐\n显示器,D-27,1150,明视\n',
    '采购/规定.md': rules,
  },
  request: [
    `请做采购清单 ${LIST}：纪要在 会议/，报价、库存和规定在 采购/。阅读员整理事实，我来定椅子的型号，`,
    '分析员写清单，阅读员核对；超过规定金额的要我批准。',
  ].join(''),
  rules: [
    { kind: 'part', text: '椅子定 C-15。' },
    { asks: /批准/, times: 1, text: '批准' },
  ],
  check(end) {
    const list = end.file(LIST) ?? ''
    const [, undecided = ''] = list.split('## 待定')
    const ofAna = end.asked.filter(({ to, kind }) => to.includes('Ana') && kind === 'answer')
    return unmet(
      ...ROWS.map((cells): [boolean, string] => [
        list.split('\n').some((line) => cells.every((cell) => line.includes(cell))),
        `清单里没有 ${cells.join('，')}`,
      ]),
      [/24,?580/.test(list), '清单里没有合计 24,580'],
      [undecided.includes('投影仪'), '投影仪不在“待定”下'],
      [ofAna.some(({ question }) => question.includes('11,500')), '没有请 Ana 批准 11,500 元'],
      [!ofAna.some(({ question }) => question.includes('C-12')), 'Ana 定下型号后又被问型号'],
      [end.tasks.some(({ state }) => state === 'finished'), '没有任务完成'],
    )
  },
}
