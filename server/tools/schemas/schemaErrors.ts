/** The first issue, as `tools.0.name: Invalid input …`; null: another kind of error. */
export function schemaErrorInWords(error: unknown): string | null {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) return null
  const issue: unknown = error.issues[0]
  if (typeof issue !== 'object' || issue === null) return error.message
  const path = 'path' in issue && Array.isArray(issue.path) ? issue.path.join('.') : ''
  return `${path === '' ? '' : `${path}: `}${'message' in issue ? String(issue.message) : 'not allowed'}`
}
