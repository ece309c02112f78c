import { laterFile } from '@/components/ui/lazyFile'

export const csvTable = laterFile(() => import('./CsvTable'))
export const documentContent = laterFile(() => import('./DocumentContent'))
export const pdfPages = laterFile(() => import('./PdfPages'))
