/** The frame without words: what the server's page holds, and what is seen until words and session are there. */
export function FrameSkeleton() {
  return (
    <div aria-busy="true" className="flex h-dvh flex-col">
      <div className="h-12 shrink-0 border-b border-line" />
      <div className="flex min-h-0 grow flex-col-reverse md:flex-row">
        <div className="h-14 shrink-0 border-line max-md:border-t md:h-auto md:w-14 md:border-r xl:w-[4.5rem]" />
        <div className="min-h-0 grow bg-s1" />
      </div>
    </div>
  )
}
