/** Whether the program can take commands, for /api/ready. */
import type { Ready } from '@/lib/wire'
import type { GatewayContext } from './route'

/** out: every reason why it cannot; empty when it can */
export async function notReady(
  gateway: Pick<GatewayContext, 'engine' | 'disk' | 'isStopping'>,
): Promise<Ready['reasons']> {
  const { engine, disk, isStopping } = gateway
  const free = (await disk?.freeBytes()) ?? null
  const reasons: [Ready['reasons'][number], boolean][] = [
    ['draining', isStopping()],
    ['disk', disk !== undefined && free !== null && free < disk.leastBytes],
    ['store', engine.storeState().is !== 'ok'],
  ]
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []))
}
