/** “Ben is writing …” below a conversation; keeps its line, so that nothing moves when it comes and goes. */
import { Drafters } from '@/components/request/Drafters'

export function WritingLine({ place }: { place: string }) {
  return (
    <div className="flex h-5 shrink-0 items-center px-5 max-md:px-4 [&>span]:ml-0">
      <Drafters request={place} />
    </div>
  )
}
