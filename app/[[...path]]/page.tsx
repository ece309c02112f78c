/**
 * The console: one static page for all addresses (Next's form of a single-page application); the browser reads the address (client/nav).
 *
 * With a page per screen Next's router fetches from the server at each press: one request per press and, without a connection, an error
 * page. Measured against none here, where every address also opens offline. Other pages and routes of this folder are Next's own, and
 * are answered as Next does it (server/gateway/http/nextRoutes.ts).
 */
import { ConsoleRoot } from '@/components/shell/ConsoleRoot'

export const dynamic = 'force-static'
export const dynamicParams = false
export const generateStaticParams = (): { path: string[] }[] => [{ path: [] }]

export default function ConsolePage() {
  return <ConsoleRoot />
}
