import { useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/components/shell/screenTypes'
import { FilePage } from './FilePage'
import { FolderPage } from './FolderPage'

export default function FilesScreen({ params }: ScreenProps) {
  const folder = useSearchParam('folder') ?? ''
  const { path } = params
  return (
    <div data-scroll className="page-scroll pb-12">
      {path === undefined ? <FolderPage key={folder} folder={folder} /> : <FilePage key={path} path={path} />}
    </div>
  )
}
