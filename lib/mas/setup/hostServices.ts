/** Services of the host of a machine: a program that reaches them can read the credentials of the machine. */
import ipaddr from 'ipaddr.js'

/** Addresses of such services outside of the link-local range: of Azure, Oracle, Alibaba, AWS and Google (IPv6). */
const SERVICES: ReadonlySet<string> = new Set(
  ['168.63.129.16', '192.0.0.192', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map(normal),
)

/** in: an address without brackets. Valid on one wire alone (link-local), or a known address of a cloud's host? */
export function isHostService(address: string): boolean {
  return ipaddr.isValid(address) && (ipaddr.process(address).range() === 'linkLocal' || SERVICES.has(normal(address)))
}

function normal(address: string): string {
  return ipaddr.process(address).toString()
}
