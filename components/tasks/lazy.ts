import { laterFile } from '@/components/ui/lazyFile'

export const askDialog = laterFile(() => import('./AskDialog'))
