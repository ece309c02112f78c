/** The console: one static page for all addresses; the browser reads the address (client/nav). */
import { ConsoleRoot } from '@/components/shell/ConsoleRoot'

export const dynamic = 'force-static'
export const dynamicParams = false
export const generateStaticParams = (): { path: string[] }[] => [{ path: [] }]

export default function ConsolePage() {
  return <ConsoleRoot />
}
