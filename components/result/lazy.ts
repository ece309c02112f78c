import { laterFile } from '@/components/ui/lazyFile'

export const exportDialog = laterFile(() => import('./ExportDialog'))
export const taskResult = laterFile(() => import('./TaskResult'))
