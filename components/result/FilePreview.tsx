import { FileContent } from '@/components/files/FileContent'

/** A file as it is now, among other content. */
export default function FilePreview({ path, bytes }: { path: string; bytes: number }) {
  return <FileContent path={path} version={undefined} bytes={bytes} isKept />
}
