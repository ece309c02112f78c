import { pathTo } from '@/client/nav'

export const fileHref = (path: string): string => pathTo('file', { path })

export const folderHref = (folder: string): string =>
  folder === '' ? pathTo('files') : `${pathTo('files')}?${new URLSearchParams({ folder })}`

/** version: of a version; isBefore: as it was before that version. */
export function contentHref(path: string, version?: number, isBefore = false): string {
  const query = new URLSearchParams({ path })
  if (version !== undefined) query.set('version', String(version))
  if (isBefore) query.set('before', 'yes')
  return `/api/files/content?${query}`
}
