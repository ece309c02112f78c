import { laterFile } from '@/components/ui/lazyFile'

export const changeDialog = laterFile(() => import('./ChangeDialog'))
export const changeLinks = laterFile(() => import('./ChangeLinks'))
export const exportDialog = laterFile(() => import('./ExportDialog'))
export const filePreview = laterFile(() => import('./FilePreview'))
export const taskResult = laterFile(() => import('./TaskResult'))
