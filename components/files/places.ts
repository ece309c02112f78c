import { pathTo } from '@/client/nav'

export const fileHref = (path: string): string => pathTo('file', { path })

export const folderHref = (folder: string): string =>
  folder === '' ? pathTo('files') : `${pathTo('files')}?${new URLSearchParams({ folder })}`

/** version: of a version; isBefore: as it was before that version. */
export const contentHref = (path: string, version?: number, isBefore = false): string =>
  `/api/files/content?${queryOf(path, version, isBefore)}`

/** The text that the server reads in a workbook or text document. */
export const documentHref = (path: string, version?: number): string =>
  `/api/files/document?${queryOf(path, version, false)}`

function queryOf(path: string, version: number | undefined, isBefore: boolean): URLSearchParams {
  const query = new URLSearchParams({ path })
  if (version !== undefined) query.set('version', String(version))
  if (isBefore) query.set('before', 'yes')
  return query
}
