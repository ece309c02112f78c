/** "files, db"; in Chinese "files、db" */
export const joinList = (values: readonly string[], locale: string): string =>
  values.join(locale === 'zh' ? '、' : ', ')

/** Parts of one accessible name: "Coder, agent, online"; in Chinese "Coder，智能体，在线". */
export const joinParts = (parts: readonly string[], locale: string): string => parts.join(locale === 'zh' ? '，' : ', ')
