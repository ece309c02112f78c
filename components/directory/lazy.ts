import { lazyFile } from '@/components/ui/lazyFile'

export const directoryWordsEn = lazyFile(() => import('@/messages/en.json?directory'))
export const directoryWordsZh = lazyFile(() => import('@/messages/zh.json?directory'))
