/** What a call of a tool does, for Chinese teams, by the verb in the tool's name. Apart from other words: every page of a task has it. */
export const CALL_VERBS: Readonly<Record<string, string>> = {
  read: '读取',
  write: '写入',
  edit: '修改',
  create: '新建',
  move: '移动',
  delete: '删除',
  list: '列出',
  search: '搜索',
}
