import { laterFile } from '@/components/ui/lazyFile'

export const exportDialog = laterFile(() => import('./ExportDialog'))
export const filePreview = laterFile(() => import('./FilePreview'))
export const taskResult = laterFile(() => import('./TaskResult'))
